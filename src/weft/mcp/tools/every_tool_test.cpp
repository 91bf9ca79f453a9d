// What holds for every tool of the build.
#include <algorithm>
#include <functional>
#include <iostream>
#include <set>

#include "weft/mcp/answers/garden_for_test.hpp"

namespace weft::mcp {
namespace {

TEST(EveryTool, HasANameThatClientsTake) {
  std::set<std::string_view> names;
  for (const Tool* tool : all_tools()) {
    EXPECT_TRUE(names.insert(tool->name).second) << tool->name;
    EXPECT_THAT(std::string(tool->name), testing::MatchesRegex("[a-z_]{1,64}"));
    EXPECT_FALSE(tool->title.empty()) << tool->name;
    EXPECT_NE(tool->call, nullptr) << tool->name;
  }
}

TEST(EveryTool, IsDescribedInFewerCharactersThanClientsCutAt) {
  for (const Tool* tool : all_tools()) {
    EXPECT_LT(tool->description.size(), 2'048u) << tool->name;
  }
}

// Every conversation of every agent pays for these bytes.
TEST(EveryTool, TogetherAreShownToAModelInFewBytes) {
  constexpr std::size_t kMostBytes = 14'000;
  std::size_t all = 0;
  std::vector<std::pair<std::size_t, std::string_view>> sizes;
  for (const Tool* tool : all_tools()) {
    json::object shown{{"name", tool->name},
                       {"title", tool->title},
                       {"description", tool->description},
                       {"inputSchema", to_schema(tool->parameters)}};
    sizes.emplace_back(canonical_json(shown).size() + 1, tool->name);
    all += sizes.back().first;
  }
  std::ranges::sort(sizes, std::greater());
  std::string largest;
  for (const auto& [size, name] : sizes) {
    largest += std::string(name) + " " + std::to_string(size) + ", ";
  }
  RecordProperty("bytes", static_cast<int>(all));
  std::cout << all << " bytes: " << largest << "\n";
  EXPECT_LE(all, kMostBytes) << largest;
}

// A model picks a tool by what the descriptions say of the others.
TEST(EveryTool, IsNamedByAnotherOrSaysWhenToUseIt) {
  for (const Tool* tool : all_tools()) {
    const bool says = tool->description.contains("Use it");
    const bool is_named = std::ranges::any_of(all_tools(), [&](const Tool* other) {
      return other != tool && other->description.contains(tool->name);
    });
    EXPECT_TRUE(says || is_named || tool->description.size() < 200) << tool->name;
  }
}

TEST(EveryTool, ShowsARightCall) {
  for (const Tool* tool : all_tools()) {
    const Result<ParsedJson> example = parse_json(tool->example);
    ASSERT_TRUE(example && example->value.is_object()) << tool->name;
    if (!tool->input_schema.empty()) continue;
    const auto read = read_arguments(tool->parameters, example->value.as_object());
    EXPECT_TRUE(read) << tool->name << ": " << read.error();
  }
}

// A schema whose parts are of the kinds that JSON Schema says.
void expect_schema(const json::value& value, const std::string& where) {
  ASSERT_TRUE(value.is_object()) << where;
  const json::object& schema = value.as_object();
  ASSERT_TRUE(schema.contains("type")) << where;
  if (const json::value* required = find_member(schema, "required")) {
    ASSERT_TRUE(required->is_array()) << where;
    for (const json::value& name : required->get_array()) {
      const json::object* properties = find_object(schema, "properties");
      EXPECT_TRUE(properties != nullptr && properties->contains(name.as_string()))
          << where << " requires " << name;
    }
  }
  if (const json::value* properties = find_member(schema, "properties")) {
    ASSERT_TRUE(properties->is_object()) << where;
    for (const auto& member : properties->get_object()) {
      expect_schema(member.value(), where + "/" + std::string(member.key()));
    }
  }
  if (const json::value* items = find_member(schema, "items")) expect_schema(*items, where + "[]");
}

TEST(EveryTool, HasAnOutputSchemaOfAnObject) {
  for (const Tool* tool : all_tools()) {
    const Result<ParsedJson> schema = parse_json(tool->output_schema);
    ASSERT_TRUE(schema) << tool->name << ": " << schema.error().message;
    expect_schema(schema->value, std::string(tool->name));
    EXPECT_EQ(schema->value.as_object().at("type"), "object") << tool->name;
  }
}

TEST(EveryTool, ThatReadsSaysThatItChangesNothing) {
  for (const std::string_view name :
       {"list_conversations", "read_conversation", "read_turn", "search_conversations", "wot_blame",
        "wot_connections", "wot_conversation_list", "wot_conversation_stats", "wot_cost",
        "wot_diff", "wot_effects", "wot_thought_get", "wot_thought_search", "wot_verify",
        "wot_walk_because", "wot_walk_sequence"}) {
    const Hints& hints = tool_called(name).hints;
    EXPECT_TRUE(hints.is_read_only && hints.is_idempotent) << name;
    EXPECT_FALSE(hints.is_destructive || hints.is_open_world) << name;
  }
  EXPECT_EQ(tool_called("wot_verify").pace, Tool::Pace::slow);
  EXPECT_EQ(tool_called("wot_conversation_stats").pace, Tool::Pace::slow);
  EXPECT_EQ(tool_called("wot_thought_search").pace, Tool::Pace::quick);
}

}  // namespace
}  // namespace weft::mcp
