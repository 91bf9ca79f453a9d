#include "weft/mcp/outlines/block_answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

constexpr std::uint64_t kRowChars = 80;  // of an outline, in JSON and in its text
// What stands before the rows: the conversation, how to go on, notes.
constexpr std::uint64_t kHeadChars = 300;

std::uint64_t number_in(const json::object& columns, std::string_view column, std::size_t row) {
  const json::value& value = columns.at(column).as_array().at(row);
  return value.is_null() ? 0 : value.to_number<std::uint64_t>();
}

// "12 tool_request bash, turn 4, 2026-02-01T14:42:16.000Z, 240 ms, 61 characters, because of 11 9"
std::string row_text(const json::object& outline, std::size_t row) {
  const json::object& columns = outline.at("columns").as_object();
  const auto is_known = [&](std::string_view column) {
    return !columns.at(column).as_array().at(row).is_null();
  };
  const auto name = [&](std::string_view column, std::string_view names) {
    return std::string(
        view(outline.at(names).as_array().at(number_in(columns, column, row)).as_string()));
  };
  const std::uint64_t ordinal = count_or_zero(outline, "from") + row;
  std::string out = fmt::format("{} {}", ordinal, name("kind", "kinds"));
  if (is_known("tool")) out += " " + name("tool", "tools");
  const json::object timed{{"time", columns.at("time").as_array().at(row)}};
  out += fmt::format(", turn {}, {}", number_in(columns, "turn", row), moment(timed, "time"));
  if (is_known("duration_ms")) {
    out += fmt::format(", {} ms", number_in(columns, "duration_ms", row));
  }
  if (is_known("length")) out += ", " + count(number_in(columns, "length", row), "character");
  std::uint64_t bit = 1;
  for (const json::value& flag : outline.at("flags").as_array()) {
    if ((number_in(columns, "flags", row) & bit) != 0) {
      out += ", " + std::string(view(flag.as_string()));
    }
    bit *= 2;
  }
  std::string causes;
  for (const json::value& distance : columns.at("causes").as_array().at(row).as_array()) {
    causes +=
        fmt::format(" {}", static_cast<std::int64_t>(ordinal) - distance.to_number<std::int64_t>());
  }
  return out + (causes.empty() ? "" : ", because of" + causes) + "\n";
}

std::size_t shown_in(const json::object& answer) {
  const json::object* columns = find_object(answer, "columns");
  return columns == nullptr ? list_in(answer, "blocks").size() : list_in(*columns, "kind").size();
}

std::string render_blocks(const json::object& answer, const json::object& arguments,
                          const query::Library& library, const store::ConversationRow& row) {
  std::string out = fmt::format(
      "Conversation {}: blocks {}\n", row.cid.brief(),
      span_of(count_or_zero(answer, "from"), shown_in(answer), count_or_zero(answer, "count")));
  if (find_member(answer, "next_from") != nullptr) {
    json::object next = arguments;
    next["conversation_cid"] = row.cid.brief();
    next["from"] = count_or_zero(answer, "next_from");
    out += "Next: " + call_of("wot_walk_sequence", next) + "\n";
  }
  out += notes_in(answer);
  if (find_member(answer, "columns") != nullptr) {
    for (std::size_t i = 0; i < shown_in(answer); ++i) out += row_text(answer, i);
    return out;
  }
  out += sealed_note(answer, library.keyring);
  query::Names names(library);
  for (const json::value& value : list_in(answer, "blocks")) {
    const json::object& block = value.as_object();
    out += fmt::format("\n[{}] ", count_or_zero(block, "ordinal"));
    append_thought(out, block, names);
  }
  return out;
}

Result<json::object> ask(Call& call, const store::ConversationRow& row) {
  const json::object& arguments = call.arguments();
  const std::uint64_t from = whole_in(arguments, "from"), limit = whole_in(arguments, "limit");
  const auto branch = find_text_in(arguments, "branch");
  const bool all = find_bool(arguments, "all").value_or(false);
  if (find_bool(arguments, "outline").value_or(false)) {
    const std::uint64_t room = std::max(room_in(call), kHeadChars + kRowChars) - kHeadChars;
    return query::outline(call.library(), row,
                          {.branch = branch,
                           .all = all,
                           .from = from,
                           .limit = std::min(limit, room / kRowChars),
                           .control = {.stop = call.stop()}});
  }
  query::BlocksOptions options{
      .branch = branch, .all = all, .from = from, .limit = limit, .control = {.stop = call.stop()}};
  if (const auto cut = find_whole_in(arguments, "cut")) options.cut = *cut;
  Result<json::object> answer = query::blocks(call.library(), row, options);
  if (!answer) return answer;
  if (text_in(arguments, "response_format") == "concise") {
    for (json::value& block : answer->at("blocks").as_array()) make_concise(block.as_object());
  }
  (void)leave_out(*answer, "blocks", room_in(call));
  return answer;
}

}  // namespace

bool counts_blocks(const json::object& arguments) {
  return find_whole_in(arguments, "from").has_value() ||
         find_bool(arguments, "outline").value_or(false);
}

Served<> answer_blocks(Call& call, const store::ConversationRow& row) {
  Result<json::object> answer = ask(call, row);
  if (!answer) return no_answer(call, answer.error());
  const std::uint64_t end = count_or_zero(*answer, "from") + shown_in(*answer);
  if (end < count_or_zero(*answer, "count")) (*answer)["next_from"] = end;
  return tool_result(call, *std::move(answer), [&](const json::object& structured) {
    return render_blocks(structured, call.arguments(), call.library(), row);
  });
}

}  // namespace weft::mcp
