// A small web on which tests call tools as the protocol does: a conversation about herons, a
// session in a garden with a subagent, and one with commands and injected text.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/ingest/ingest.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/ask/summary_line.hpp"
#include "weft/query/questions.hpp"
#include "weft/store/open.hpp"

namespace weft::mcp {

inline constexpr std::string_view kHeron = "anthropic-transcript:7c1e2f5a-heron";
inline constexpr std::string_view kTulips = "claude-code:11111111-1111-4111-8111-111111111111";
// Its records name the session that it belongs to.
inline constexpr std::string_view kAgent =
    "claude-code:5f0c1a52-94d1-4c0e-8a55-0d1f6f6a7c01/subagent:a7d3";
inline constexpr std::string_view kBeds = "claude-code:22222222-2222-4222-8222-222222222222";

inline const Tool& tool_called(std::string_view name) {
  const auto found =
      std::ranges::find(all_tools(), name, [](const Tool* tool) { return tool->name; });
  EXPECT_NE(found, all_tools().end()) << name;
  return **found;
}

// What a value has that its schema does not allow; empty if all is well. As much of JSON Schema as
// our tools use.
inline std::string breach(const json::object& schema, const json::value& value,
                          const std::string& where = "$") {
  const auto is = [&](std::string_view type) {
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "boolean" && value.is_bool()) ||
           (type == "null" && value.is_null()) || (type == "number" && value.is_number()) ||
           (type == "integer" && (value.is_int64() || value.is_uint64()));
  };
  if (const json::array* choices = find_array(schema, "anyOf")) {
    std::string first;
    for (const json::value& choice : *choices) {
      const std::string bad = breach(choice.as_object(), value, where);
      if (bad.empty()) return {};
      if (first.empty()) first = bad;
    }
    return first;
  }
  if (const json::value* type = find_member(schema, "type")) {
    bool fits = type->is_string() && is(view(type->get_string()));
    if (const json::array* types = type->if_array()) {
      for (const json::value& one : *types) fits = fits || is(view(one.as_string()));
    }
    if (!fits) return where + " is of another type";
  }
  if (const json::array* choices = find_array(schema, "enum")) {
    if (std::ranges::find(*choices, value) == choices->end()) return where + " is none of the enum";
  }
  if (const json::array* list = value.if_array()) {
    const json::object* items = find_object(schema, "items");
    for (std::size_t i = 0; items != nullptr && i < list->size(); ++i) {
      if (auto bad = breach(*items, (*list)[i], where + "/" + std::to_string(i)); !bad.empty()) {
        return bad;
      }
    }
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return {};
  if (const json::array* required = find_array(schema, "required")) {
    for (const json::value& name : *required) {
      if (!object->contains(name.as_string())) return where + " lacks " + name.as_string().c_str();
    }
  }
  const json::object* properties = find_object(schema, "properties");
  const json::object* others = find_object(schema, "additionalProperties");
  for (const auto& member : *object) {
    const json::object* of_member =
        properties == nullptr ? nullptr : find_object(*properties, member.key());
    if (of_member == nullptr) of_member = others;
    if (of_member == nullptr) continue;
    auto bad = breach(*of_member, member.value(), where + "/" + std::string(member.key()));
    if (!bad.empty()) return bad;
  }
  return {};
}

struct ToolAnswer {
  json::object structured{};
  std::string text{};
  bool is_error = false;
};

enum class Keys { owner, content, metadata, none };

class Garden {
 public:
  explicit Garden(crypto::SealMode seal = crypto::SealMode::thinking)
      : owner_(*crypto::Keyring::create("Ada", 1'000, seal)) {
    std::string name = (std::filesystem::temp_directory_path() / "weft-tools-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
    const std::filesystem::path fixtures =
        std::filesystem::path(WEFT_SOURCE_DIR) / "tests" / "fixtures";
    const std::string tulips(kTulips.substr(kTulips.find(':') + 1));
    const std::string beds(kBeds.substr(kBeds.find(':') + 1));
    std::filesystem::create_directories(dir_ / "in" / tulips / "subagents");
    const auto copy = [&](const std::string& from, const std::string& to) {
      std::filesystem::copy_file(fixtures / from, dir_ / "in" / to);
    };
    copy("anthropic_transcript/two-rounds.txt", "two-rounds.txt");
    copy("claude_code/main.jsonl", tulips + ".jsonl");
    copy("claude_code/agent-a7d3.jsonl", tulips + "/subagents/agent-a7d3.jsonl");
    copy("claude_code/harness.jsonl", beds + ".jsonl");
    auto store = store::open_store(dir_ / "weft.db", store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
    ingest(dir_ / "in");
    use_keys(Keys::owner);
  }
  ~Garden() {
    store_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }
  Garden(const Garden&) = delete;
  Garden& operator=(const Garden&) = delete;

  const std::filesystem::path& dir() const { return dir_; }
  query::Library library() const { return context_->library(); }
  const store::Store& store() const { return *store_; }

  void ingest(const std::filesystem::path& path) {
    ingest::Options options{.paths = {path}};
    options.clock = [] { return Millis{1'780'000'000'000}; };
    const auto report = ingest::ingest(*store_, owner_, options);
    EXPECT_TRUE(report) << report.error().message;
  }

  // The keyring that the server runs with from now on.
  void use_keys(Keys keys) {
    keyring_.reset();
    if (keys == Keys::owner) keyring_ = owner_;
    if (keys == Keys::content || keys == Keys::metadata) {
      const auto text =
          owner_.exported(keys == Keys::content ? crypto::Reach::content : crypto::Reach::metadata);
      EXPECT_TRUE(text);
      keyring_ = *crypto::Keyring::parse(*text, {});
    }
    context_ = std::make_unique<ServerContext>(
        ServerContext{.store = *store_, .keyring = keyring_ ? &*keyring_ : nullptr});
  }

  // Calls a tool; an answer of which the schema does not allow something fails the test.
  ToolAnswer call(std::string_view name, std::string_view arguments,
                  const std::stop_token& stop = {}) const {
    const Tool& tool = tool_called(name);
    const Result<ParsedJson> given = parse_json(arguments);
    EXPECT_TRUE(given) << arguments;
    auto read = read_arguments(tool.parameters, given->value.as_object());
    if (!read) return {.text = read.error(), .is_error = true};
    notifications_.clear();
    Call call({{"_meta", json::object{{"progressToken", "p"}}}}, {}, context_.get(), stop,
              [this](std::string_view method, json::object params) {
                notifications_.emplace_back(method, std::move(params));
              });
    call.set_arguments(*std::move(read));
    const Served<> served = tool.call(call);
    EXPECT_TRUE(served) << served.error().message;
    ToolAnswer answer{.is_error = served->at("isError").as_bool()};
    answer.text = view(served->at("content").as_array().at(0).as_object().at("text").as_string());
    if (answer.is_error) {
      EXPECT_FALSE(served->contains("structuredContent"));
      return answer;
    }
    answer.structured = served->at("structuredContent").as_object();
    EXPECT_EQ(breach(parse_json(tool.output_schema)->value.as_object(), answer.structured), "");
    return answer;
  }
  // What was notified during the last call.
  const std::vector<std::pair<std::string, json::object>>& notified() const {
    return notifications_;
  }

  // The first thought in a conversation of which this is the kind.
  std::string cid_of(std::string_view session, std::string_view kind) const {
    const auto row = query::resolve_conversation(library(), session);
    EXPECT_TRUE(row) << session;
    std::string cid;
    const Status walked = query::walk(library(), *row, {}, [&](const json::object& turn) {
      for (const json::value& thought : turn.at("thoughts").as_array()) {
        if (cid.empty() && query::kind_of(thought.as_object()) == kind) {
          cid = view(thought.as_object().at("cid").as_string());
        }
      }
    });
    EXPECT_TRUE(walked && !cid.empty()) << kind;
    return cid;
  }
  std::string cid_of(std::string_view session) const {
    const auto row = query::resolve_conversation(library(), session);
    EXPECT_TRUE(row) << session;
    return row->cid.str();
  }

 private:
  std::filesystem::path dir_;
  crypto::Keyring owner_;
  std::optional<crypto::Keyring> keyring_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<ServerContext> context_;
  mutable std::vector<std::pair<std::string, json::object>> notifications_;
};

// {"cid": "…"}
inline std::string with(std::string_view name, std::string_view value, std::string_view more = "") {
  json::object arguments{{name, value}};
  std::string out = canonical_json(arguments);
  if (!more.empty()) out.insert(out.size() - 1, ", " + std::string(more));
  return out;
}

}  // namespace weft::mcp
