// wot_cost: tokens and dollars by day, model, project, session or prompt.
#include <fmt/format.h>

#include <tuple>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/cost/cost.hpp"

namespace weft::mcp {
namespace {

std::string dollars_of(const json::object& sum) {
  const json::value* cost = find_member(sum, "cost");
  if (cost == nullptr || !cost->is_number()) return "? (no price)";
  const bool is_partial =
      count_or_zero(sum, "unpriced_requests") > 0 || count_or_zero(sum, "unknown_sessions") > 0;
  return fmt::format("${:.2f}{}", cost->to_number<double>(), is_partial ? " + ?" : "");
}

void append_sum(std::string& out, std::string_view name, const json::object& sum) {
  out += fmt::format(
      "{}: {}, {} requests, {} in, {} out, {} cache read, {} cache write\n", name, dollars_of(sum),
      count(count_or_zero(sum, "requests")), count(count_or_zero(sum, "input")),
      count(count_or_zero(sum, "output")), count(count_or_zero(sum, "cache_read")),
      count(count_or_zero(sum, "cache_write_5m") + count_or_zero(sum, "cache_write_1h")));
}

std::string render(const json::object& answer) {
  std::string out;
  if (const json::object* total = find_object(answer, "total")) append_sum(out, "total", *total);
  for (const json::value& value : list_in(answer, "rows")) {
    const json::object& row = value.as_object();
    const std::string name = text_or(row, "title", text_or(row, "text", text_or(row, "key", "?")));
    append_sum(out, "- " + query::first_words(name), row);
  }
  for (const json::value& value : list_in(answer, "unpriced")) {
    const json::object& model = value.as_object();
    out += fmt::format("no price for {}: {} tokens\n", text_or(model, "model", "no model"),
                       count(count_or_zero(model, "tokens")));
  }
  if (find_array(answer, "notes") != nullptr) {
    for (const json::value& note : list_in(answer, "notes")) {
      out.append(view(note.as_string())).append("\n");
    }
  }
  return out;
}

Served<> cost(Call& call) {
  const json::object& arguments = call.arguments();
  query::CostOptions question{.by = *query::parse_cost_by(text_in(arguments, "by")),
                              .calendar = query::machine_calendar(),
                              .control = {.stop = call.stop()}};
  if (find_text_in(arguments, "cid")) {
    Named<store::ConversationRow> row = conversation_named(call, "cid");
    if (!row) return std::move(row).error();
    question.conversation = *std::move(row);
  }
  const LocalClock clock = machine_clock();
  for (const auto& [argument, bound, time] : {std::tuple("since", Bound::since, &question.since),
                                              std::tuple("until", Bound::until, &question.until)}) {
    Named<std::optional<Millis>> moment = moment_named(call, argument, bound, clock);
    if (!moment) return std::move(moment).error();
    *time = *moment;
  }
  Result<json::object> answer = query::cost(call.library(), call.context().prices, question);
  if (!answer) return no_answer(call, answer.error());
  leave_out(*answer, "rows", room_in(call));
  return tool_result(call, *std::move(answer), render);
}

}  // namespace

const Tool& wot_cost_tool() {
  static const Tool tool = {
      .name = "wot_cost",
      .title = "Cost",
      .description =
          R"(Adds up tokens and dollars of model requests at list prices: of one conversation with its subagents, or of all. Use it for what work cost. null: no known price.)",
      .parameters = {{.name = "by",
                      .description = "What a row stands for.",
                      .one_of = {"day", "week", "month", "model", "project", "session", "prompt"},
                      .preset_text = "day"},
                     {.name = "cid",
                      .description = "The conversation. Default: all.",
                      .longest = 1'000},
                     {.name = "since", .description = kSince},
                     {.name = "until", .description = "A day is included."},
                     max_chars()},
      .example = R"({"by": "model", "since": "2026-10-01"})",
      .output_schema = R"({"type": "object", "properties": {
  "by": {"type": "string"}, "zone": {"type": "string"},
  "rows": {"type": "array", "items": {"type": "object"}},
  "total": {"type": "object"}, "unpriced": {"type": "array"}, "prices": {"type": "object"},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["by", "zone", "rows", "total", "unpriced", "prices"]})",
      .pace = Tool::Pace::slow,
      .call = cost,
  };
  return tool;
}

}  // namespace weft::mcp
