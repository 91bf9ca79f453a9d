// wot_conversation_stats: counts thoughts, tokens, tool calls and time spent.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

std::string time_in(const json::object& answer, std::string_view member) {
  const auto ms = find_int(answer, member);
  return ms ? duration(*ms) : "unknown";
}

// "by tool: Bash 12, Read 3", the largest first.
void append_counts(std::string& out, const json::object& answer, std::string_view member,
                   std::string_view title) {
  const json::object* counts = find_object(answer, member);
  if (counts == nullptr || counts->empty()) return;
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& entry : *counts) {
    const std::string_view name(entry.key().data(), entry.key().size());
    rows.emplace_back(count_or_zero(*counts, name), query::first_words(name));
  }
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return std::pair(b.first, a.second) < std::pair(a.first, b.second);
  });
  out.append(title).append(": ");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += fmt::format("{}{} {}", i == 0 ? "" : ", ", rows[i].second, count(rows[i].first));
  }
  out += '\n';
}

std::string render(const json::object& answer) {
  std::string out = fmt::format(
      "{}, {}\n"
      "time: thinking {}, answering {}, in tools {}, waiting for a person {}\n"
      "tool calls: {}, of which {} failed\n",
      count(count_or_zero(answer, "conversations"), "conversation"),
      count(count_or_zero(answer, "turn_count"), "turn"), time_in(answer, "thinking_ms"),
      time_in(answer, "response_ms"), time_in(answer, "tool_ms"), time_in(answer, "waiting_ms"),
      count(count_or_zero(answer, "tool_calls")), count(count_or_zero(answer, "tool_errors")));
  if (const json::object* tokens = find_object(answer, "tokens")) {
    out += fmt::format(
        "tokens: {} in, {} out, {} read from cache, {} written to cache, {} estimated where no "
        "count was recorded\n",
        count(count_or_zero(*tokens, "input")), count(count_or_zero(*tokens, "output")),
        count(count_or_zero(*tokens, "cache_read")), count(count_or_zero(*tokens, "cache_write")),
        count(count_or_zero(*tokens, "estimated")));
  }
  append_counts(out, answer, "by_type", "blocks by type");
  append_counts(out, answer, "by_tool", "calls by tool");
  append_counts(out, answer, "by_model", "blocks by model");
  return out;
}

Served<> stats(Call& call) {
  std::optional<store::ConversationRow> one;
  if (find_text_in(call.arguments(), "cid")) {
    Named<store::ConversationRow> row = conversation_named(call, "cid");
    if (!row) return std::move(row).error();
    one = *std::move(row);
  }
  const query::QueryControl watch{
      .stop = call.stop(), .progress = [&](std::uint64_t done, std::uint64_t all) {
        call.progress(static_cast<double>(done), static_cast<double>(all),
                      "counting conversations");
      }};
  Result<json::object> answer = query::stats(call.library(), one, watch);
  if (!answer) return no_answer(call, answer.error());
  return tool_result(call, *std::move(answer), render);
}

}  // namespace

const Tool& wot_conversation_stats_tool() {
  static const Tool tool = {
      .name = "wot_conversation_stats",
      .title = "Statistics",
      .description =
          R"(Counts turns, blocks by type and model, tool calls and their errors, and tokens, and adds up the time spent: of one conversation, or of all.)",
      .parameters = {{.name = "cid", .description = kConversationName, .longest = 1'000}},
      .example = R"({"cid": "3f2a91c0b1d2"})",
      .output_schema = R"({"type": "object", "properties": {
  "conversations": {"type": "integer"}, "turn_count": {"type": "integer"},
  "thinking_ms": {"type": ["integer", "null"]}, "response_ms": {"type": ["integer", "null"]},
  "tool_ms": {"type": ["integer", "null"]}, "waiting_ms": {"type": ["integer", "null"]},
  "tool_calls": {"type": "integer"},
  "tool_errors": {"type": "integer"},
  "by_type": {"type": "object", "additionalProperties": {"type": "integer"}},
  "by_tool": {"type": "object", "additionalProperties": {"type": "integer"}},
  "by_model": {"type": "object", "additionalProperties": {"type": "integer"}},
  "tokens": {"type": "object", "properties": {
    "input": {"type": "integer"}, "output": {"type": "integer"},
    "cache_read": {"type": "integer"}, "cache_write": {"type": "integer"},
    "estimated": {"type": "integer", "description": "if the source does not count them"}}}},
  "required": ["conversations", "turn_count", "tool_calls", "by_type", "by_tool", "by_model",
    "tokens"]})",
      .pace = Tool::Pace::slow,
      .call = stats,
  };
  return tool;
}

}  // namespace weft::mcp
