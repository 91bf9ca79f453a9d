// wot_walk_sequence: reads a conversation in order, turn by turn.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/outlines/block_answers.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

void append_turn(std::string& out, const json::object& turn, query::Names& names) {
  const json::array& thoughts = list_in(turn, "thoughts");
  out += fmt::format("\n=== turn {}, {}{}", count_or_zero(turn, "sequence"),
                     text_or(turn, "role", "?"), foreign_mark(turn));
  if (find_member(turn, "thought_count") != nullptr) {
    out += fmt::format(": {} of its {}", count(thoughts.size()),
                       count(count_or_zero(turn, "thought_count"), "thought"));
  }
  out += '\n';
  for (const json::value& thought : thoughts) {
    out += '\n';
    append_thought(out, thought.as_object(), names);
  }
}

std::string render(const json::object& answer, const json::object& arguments,
                   const query::Library& library, const store::ConversationRow& row) {
  query::Names names(library);
  const std::string conversation = row.cid.brief();
  const json::object described = query::describe(library, row);
  std::string out =
      fmt::format("Conversation {} ({}), {}", in_quotes(text_or(described, "title", "untitled")),
                  row.format, conversation);
  const json::array& turns = list_in(answer, "turns");
  if (find_member(answer, "total") != nullptr) {
    out += fmt::format(": turns {}", span_of(whole_in(arguments, "offset"), turns.size(),
                                             count_or_zero(answer, "total")));
  }
  out += '\n';
  if (find_member(answer, "next_offset") != nullptr) {
    json::object next = arguments;
    next["conversation_cid"] = conversation;
    next["offset"] = count_or_zero(answer, "next_offset");
    next.erase("thought_offset");
    if (find_member(answer, "next_thought_offset") != nullptr) {
      next["thought_offset"] = count_or_zero(answer, "next_thought_offset");
    }
    out += "Next: " + call_of("wot_walk_sequence", next) + "\n";
  }
  out += sealed_note(answer, library.keyring);
  for (const json::value& turn : turns) append_turn(out, turn.as_object(), names);
  return out;
}

Served<> walk(Call& call) {
  const json::object& arguments = call.arguments();
  Named<store::ConversationRow> row = conversation_named(call, "conversation_cid");
  if (!row) return std::move(row).error();
  if (counts_blocks(arguments)) return answer_blocks(call, *row);
  const query::Library& library = call.library();
  query::WalkOptions options{
      .turn = find_whole_in(arguments, "turn"),
      .branch = find_text_in(arguments, "branch"),
      .all = find_bool(arguments, "all").value_or(false),
      .offset = whole_in(arguments, "offset"),
      .limit = whole_in(arguments, "limit"),
      .thought_offset = whole_in(arguments, "thought_offset"),
      .chars = room_in(call),
      .control = {.stop = call.stop(), .progress = [&](std::uint64_t done, std::uint64_t all) {
                    call.progress(static_cast<double>(done), static_cast<double>(all));
                  }}};
  if (text_in(arguments, "response_format") == "concise") options.edit = make_concise;
  Result<json::object> answer = query::walk_answer(library, *row, options);
  if (!answer && answer.error().code == ErrorCode::not_found) {
    return refused(answer.error(), fmt::format("It has {}; omit `turn` to read them all.",
                                               count(row->turn_count, "turn")));
  }
  if (!answer) return no_answer(call, answer.error());
  return tool_result(call, *std::move(answer), [&](const json::object& structured) {
    return render(structured, arguments, library, *row);
  });
}

}  // namespace

const Tool& wot_walk_sequence_tool() {
  static const Tool tool = {
      .name = "wot_walk_sequence",
      .title = "Read a conversation in order",
      .description =
          R"(Reads a conversation in order, every block of every turn. Use it for the context of a hit (conversation_cid, turn), or from the beginning; read_conversation is shorter: prompts and answers. Next page: offset = `next_offset`, thought_offset = `next_thought_offset`.)",
      .parameters = {{.name = "conversation_cid",
                      .description = kConversationName,
                      .is_required = true,
                      .longest = 1'000},
                     {.name = "turn",
                      .kind = Parameter::Kind::whole,
                      .description = "Only this turn, from 0."},
                     limit_of(50, 10'000),
                     offset_of(),
                     {.name = "thought_offset", .kind = Parameter::Kind::whole, .preset = 0},
                     {.name = "from",
                      .kind = Parameter::Kind::whole,
                      .description = "Blocks from this number on, not turns."},
                     {.name = "cut",
                      .kind = Parameter::Kind::whole,
                      .description = "Longest text, with from."},
                     {.name = "outline",
                      .kind = Parameter::Kind::flag,
                      .description = "Blocks without text: kind, time, length, tool, causes."},
                     {.name = "branch", .description = "CID of its last turn.", .longest = 200},
                     {.name = "all",
                      .kind = Parameter::Kind::flag,
                      .description = "With other branches and superseded blocks."},
                     thought_format(),
                     max_chars()},
      .example = R"({"conversation_cid": "3f2a91c0b1d2", "turn": 4})",
      .output_schema = R"({"type": "object", "properties": {
  "conversation_cid": {"type": "string"},
  "turns": {"type": "array", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "role": {"type": "string"}, "sequence": {"type": "integer"},
    "thoughts": {"type": "array", "items": {"type": "object", "properties": {
      "cid": {"type": "string"}, "type": {"type": "string"}, "content": {"type": "object"},
      "created_by": {"type": "string"}, "created_at": {"type": "integer"},
      "source": {"type": "string"}, "because": {"type": "array", "items": {"type": "object"}},
      "signature": {"type": "string"}},
      "required": ["cid", "type", "content", "created_by", "created_at", "because"]}},
    "thought_count": {"type": "integer", "description": "if not all are returned"}},
    "required": ["cid", "role", "sequence", "thoughts"]}},
  "total": {"type": "integer", "description": "number of turns, if not all are returned"},
  "next_offset": {"type": "integer", "description": "of the next page, if there is one"},
  "next_thought_offset": {"type": "integer", "description": "if that begins within a turn"},
  "count": {"type": "integer", "description": "number of blocks, if these are asked for"},
  "from": {"type": "integer"}, "next_from": {"type": "integer"},
  "blocks": {"type": "array", "items": {"type": "object"}},
  "columns": {"type": "object", "description": "the outline, one element for each block"},
  "kinds": {"type": "array"}, "tools": {"type": "array"}, "flags": {"type": "array"},
  "elsewhere": {"type": "array", "items": {"type": "object"}}},
  "required": ["conversation_cid"]})",
      .call = walk,
  };
  return tool;
}

}  // namespace weft::mcp
