#include "weft/store/tables/block_tally.hpp"

#include <algorithm>
#include <array>

#include "weft/base/json.hpp"
#include "weft/base/utf8.hpp"
#include "weft/thought/content.hpp"

namespace weft::store {
namespace {

// Tools that ask a person and wait for the answer.
constexpr std::string_view kAsking[] = {
    "AskUserQuestion", "ExitPlanMode",      "exit_plan_mode",        "request_user_input",
    "ask_user",        "ask_user_question", "ask_followup_question", "plan_mode_respond",
    "question",        "ask_question"};

// The beginning of results of calls that a person rejected, in the words of several tools.
constexpr std::string_view kRejected[] = {
    "user doesn't want to", "rejected by user", "rejected by the user", "user rejected",
    "user denied",          "denied by user",   "interrupted by user"};
constexpr std::size_t kRejectedWithin = 200;  // bytes

constexpr std::string_view kNoBlocks[] = {"identity",   "schema",       "connection",
                                          "checkpoint", "conversation", "turn",
                                          "tombstone",  "usage",        "conversation_facts"};

bool is_block(const thought::Thought& thought) {
  return !thought.type.starts_with("schema/") && !thought.type.starts_with("input/") &&
         std::ranges::find(kNoBlocks, thought::kind_of(thought.type)) == std::end(kNoBlocks);
}

BlockTally::Kind to_kind(std::string_view kind) {
  using enum BlockTally::Kind;
  if (kind == "thinking") return thinking;
  if (kind == "response") return response;
  if (kind == "tool_request") return tool_request;
  if (kind == "tool_result") return tool_result;
  return other;
}

bool is_rejection(std::string_view text) {
  const std::string_view head = text.substr(0, kRejectedWithin);
  return std::ranges::any_of(kRejected, [&](std::string_view words) {
    return head.find(words) != std::string_view::npos;
  });
}

// The members of a thought in its three portions. A layer is parsed when something is looked for
// that the portions before it do not have.
class Members {
 public:
  Members(const thought::Thought& thought, const OpenLayers& layers)
      : texts_{nullptr, &layers.metadata, &layers.content}, clear_(thought.content) {
    if (thought.layers.metadata) innermost_ = Portion::metadata;
    if (thought.layers.content) innermost_ = Portion::content;
  }

  // A member, by the object that has it; null if no portion does: then `in` is the innermost.
  struct Found {
    const json::object* object = nullptr;
    std::string_view name;
    Portion in = Portion::clear;

    std::optional<std::string_view> text() const {
      return object == nullptr ? std::nullopt : find_string(*object, name);
    }
    std::optional<std::int64_t> integer() const {
      return object == nullptr ? std::nullopt : find_int(*object, name);
    }
    bool is_true() const { return object != nullptr && find_bool(*object, name).value_or(false); }
  };
  Found find(std::string_view name) {
    for (const Portion portion : {Portion::clear, Portion::metadata, Portion::content}) {
      const json::object& members = portion_at(portion);
      if (find_member(members, name) != nullptr) return {&members, name, portion};
    }
    return {nullptr, name, innermost_};
  }

 private:
  const json::object& portion_at(Portion portion) {
    if (portion == Portion::clear) return clear_;
    const auto at = static_cast<std::size_t>(portion);
    std::optional<json::object>& members = parsed_[at];
    if (!members) {
      members.emplace();
      if (!texts_[at]->empty()) {
        Result<ParsedJson> parsed = parse_json(*texts_[at]);
        if (parsed && parsed->value.is_object()) members = std::move(parsed->value.get_object());
      }
    }
    return *members;
  }

  std::array<const std::string*, kPortions> texts_;
  const json::object& clear_;
  std::array<std::optional<json::object>, kPortions> parsed_{};
  Portion innermost_ = Portion::clear;
};

void count_chars(Members& members, BlockTally& tally) {
  Members::Found found = members.find("chars");
  if (const auto chars = found.integer(); chars && *chars > 0) {
    tally.chars = *chars;
    tally.chars_in = found.in;
    return;
  }
  for (const std::string_view name : {"text", "result_text", "summary"}) {
    found = members.find(name);
    if (const auto text = found.text()) {
      tally.chars = static_cast<std::int64_t>(count_code_points(*text));
      tally.chars_in = found.in;
      return;
    }
  }
  if (tally.kind != BlockTally::Kind::tool_request) return;
  found = members.find("input");
  if (found.object == nullptr) return;
  const std::string input = canonical_json(*find_member(*found.object, found.name));
  tally.chars = static_cast<std::int64_t>(input.size());
  tally.chars_in = found.in;
}

void count_result(Members& members, BlockTally& tally) {
  const Members::Found error = members.find("is_error"), tool = members.find("tool_name");
  tally.is_error = error.is_true();
  tally.error_in = error.in;
  tally.time_in = std::max(error.in, tool.in);
  tally.waits = std::ranges::find(kAsking, tool.text().value_or("")) != std::end(kAsking);
  if (!tally.is_error || tally.waits) return;
  const Members::Found text = members.find("result_text");
  tally.time_in = std::max(tally.time_in, text.in);
  tally.waits = is_rejection(text.text().value_or(""));
}

}  // namespace

std::optional<BlockTally> tally_of(const thought::Thought& thought, const OpenLayers& layers) {
  if (!is_block(thought)) return std::nullopt;
  BlockTally tally{.kind = to_kind(thought::kind_of(thought.type))};
  Members members(thought, layers);
  count_chars(members, tally);
  switch (tally.kind) {
    case BlockTally::Kind::thinking:
    case BlockTally::Kind::response: {
      const Members::Found found = members.find("duration_ms");
      tally.duration = found.integer();
      tally.duration_in = found.in;
      break;
    }
    case BlockTally::Kind::tool_request: {
      const Members::Found found = members.find("tool_name");
      tally.tool = found.text().value_or("unknown");
      tally.tool_in = found.in;
      break;
    }
    case BlockTally::Kind::tool_result: count_result(members, tally); break;
    case BlockTally::Kind::other: break;
  }
  return tally;
}

}  // namespace weft::store
