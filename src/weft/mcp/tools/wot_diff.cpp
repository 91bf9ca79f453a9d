// wot_diff: what a conversation, or one prompt in it, changed in files.
#include <fmt/format.h>

#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/diff_schema.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/ask/standing.hpp"
#include "weft/query/edits/diff.hpp"

namespace weft::mcp {
namespace {

void append_file(std::string& out, const json::object& file) {
  out += fmt::format("{} {} (+{} -{}), by {}\n", text_or(file, "status", "changed"),
                     text_or(file, "path", "?"), count_or_zero(file, "added"),
                     count_or_zero(file, "removed"),
                     text_or(list_in(file, "edits").back().as_object(), "cid", "?"));
  for (const json::value& value : list_in(file, "hunks")) {
    const json::object& hunk = value.as_object();
    const auto first = find_int(hunk, "after_first");
    out += first ? fmt::format("@@ line {}\n", *first) : std::string("@@\n");
    for (const json::value& line : list_in(hunk, "lines")) {
      out.append(view(line.as_string())).append("\n");
    }
  }
}

std::string render(const json::object& answer) {
  std::string out;
  for (const json::value& file : list_in(answer, "files")) append_file(out, file.as_object());
  if (out.empty()) out = "No tool call there changed a file.\n";
  return out;
}

Served<> diff(Call& call) {
  const json::object& arguments = call.arguments();
  query::DiffOptions options{.path = find_text_in(arguments, "file"),
                             .control = {.stop = call.stop()}};
  const bool is_of_prompt = find_text_in(arguments, "cid").has_value();
  if (is_of_prompt == find_text_in(arguments, "conversation_cid").has_value()) {
    return refused("it takes either conversation_cid or cid",
                   R"(for example wot_diff {"conversation_cid": "3f2a91c0b1d2"})");
  }
  const query::Library library = call.library();
  Result<json::object> answer;
  if (is_of_prompt) {
    Named<Cid> block = thought_named(call, "cid");
    if (!block) return std::move(block).error();
    Result<std::optional<query::Standing>> standing = query::find_standing(library, *block);
    if (!standing) return no_answer(call, standing.error());
    if (!*standing) return refused("the thought stands in no conversation");
    options.block = (*standing)->block;
    answer = query::diff(library, (*standing)->conversation, options);
  } else {
    Named<store::ConversationRow> row = conversation_named(call, "conversation_cid");
    if (!row) return std::move(row).error();
    answer = query::diff(library, *row, options);
  }
  if (!answer) return no_answer(call, answer.error());
  leave_out(*answer, "files", room_in(call));
  return tool_result(call, *std::move(answer), render);
}

}  // namespace

const Tool& wot_diff_tool() {
  static const Tool tool = {
      .name = "wot_diff",
      .title = "Changes to files",
      .description =
          "What the tools of a conversation changed in files, as a diff; or those of one prompt.",
      .parameters = {{.name = "conversation_cid", .longest = 1'000},
                     {.name = "cid", .description = "Instead: of a prompt.", .longest = 1'000},
                     {.name = "file", .description = "Only paths that end so."},
                     max_chars()},
      .example = R"({"conversation_cid": "3f2a91c0b1d2"})",
      .output_schema = kDiffSchema,
      .pace = Tool::Pace::slow,
      .call = diff,
  };
  return tool;
}

}  // namespace weft::mcp
