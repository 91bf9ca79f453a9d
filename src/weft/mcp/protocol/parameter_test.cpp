#include "weft/mcp/protocol/parameter.hpp"

#include <gtest/gtest.h>

namespace weft::mcp {
namespace {

using Kind = Parameter::Kind;

const std::vector<Parameter> kParameters = {
    {.name = "query", .description = "What", .is_required = true, .longest = 10},
    {.name = "limit",
     .kind = Kind::whole,
     .description = "How many",
     .preset = 20,
     .least = 1,
     .most = 100},
    {.name = "how", .description = "Which", .one_of = {"short", "long"}, .preset_text = "short"},
    {.name = "block", .kind = Kind::object, .description = "A block"},
    {.name = "all", .kind = Kind::flag, .description = "All"},
};

std::expected<json::object, std::string> read(std::string_view text) {
  const Result<ParsedJson> parsed = parse_json(text);
  return read_arguments(kParameters, parsed->value.as_object());
}

TEST(Parameters, FillInWhatWasLeftOut) {
  const auto arguments = read(R"({"query": "x", "block": null})");
  ASSERT_TRUE(arguments) << arguments.error();
  EXPECT_EQ(*arguments, (json::object{{"query", "x"}, {"limit", 20}, {"how", "short"}}));
}

TEST(Parameters, TakeWhatModelsWriteForNumbersFlagsAndObjects) {
  const auto arguments =
      read(R"({"query": "x", "limit": "5", "all": "true", "block": "{\"type\": \"text\"}"})");
  ASSERT_TRUE(arguments) << arguments.error();
  EXPECT_EQ(whole_in(*arguments, "limit"), 5u);
  EXPECT_EQ(arguments->at("all"), true);
  EXPECT_EQ(arguments->at("block").at("type"), "text");
  EXPECT_EQ(whole_in(*read(R"({"query": "x", "limit": 7.0})"), "limit"), 7u);
}

TEST(Parameters, NameTheFault) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {R"({})", "query: is missing"},
      {R"({"query": ""})", "query: is empty"},
      {R"({"query": 5})", "query: expected a text"},
      {R"({"query": "01234567890"})", "query: is longer than 10 bytes"},
      {R"({"query": "x", "limit": 0})", "limit: 0 is less than 1"},
      {R"({"query": "x", "limit": 101})", "limit: 101 is more than 100"},
      {R"({"query": "x", "limit": 1.5})", "limit: expected a whole number"},
      {R"({"query": "x", "limit": "many"})", "limit: expected a whole number"},
      {R"({"query": "x", "limit": 1e300})", "limit: expected a whole number"},
      {R"({"query": "x", "how": "wide"})", "how: expected one of short, long"},
      {R"({"query": "x", "block": "[]"})", "block: expected a JSON object"},
      {R"({"query": "x", "all": 1})", "all: expected true or false"},
      {R"({"query": "x", "querry": "y"})",
       "unknown argument 'querry'; the arguments are query, limit, how, block, all"},
  };
  for (const auto& [text, fault] : cases) {
    const auto arguments = read(text);
    ASSERT_FALSE(arguments) << text;
    EXPECT_EQ(arguments.error(), fault);
  }
}

TEST(Parameters, HaveASchemaThatSaysTheSame) {
  const json::object schema = to_schema(kParameters);
  EXPECT_EQ(schema.at("required"), json::array{"query"});
  EXPECT_EQ(schema.at("additionalProperties"), false);
  const json::object& limit = schema.at("properties").at("limit").as_object();
  EXPECT_EQ(limit.at("type"), "integer");
  EXPECT_EQ(limit.at("maximum"), 100);
  EXPECT_EQ(limit.at("default"), 20);
  EXPECT_EQ(schema.at("properties").at("how").at("enum"), (json::array{"short", "long"}));
  EXPECT_EQ(to_schema({}), (json::object{{"type", "object"}, {"additionalProperties", false}}));
}

}  // namespace
}  // namespace weft::mcp
