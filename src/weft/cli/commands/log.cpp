// weft log: the edits of a file, newest first.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/edits/file_log.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string file;
  std::uint64_t limit = 20;
};

void print_edit(const Context& context, const json::object& edit) {
  const Style& style = context.style();
  const std::string call = brief(find_string(edit, "request_cid").value_or(""));
  const std::string head = fmt::format(
      "{}  {}  {}  {} +{} -{}", call, local_date_time(find_int(edit, "time").value_or(0)),
      on_one_line(find_string(edit, "model").value_or("")),
      find_string(edit, "kind").value_or("change"), count_or_zero(edit, "added"),
      count_or_zero(edit, "removed"));
  context.print(
      style.paint(Colour::bold, style.link_in(fitted(head, style.width), Screen::thought, call)) +
      "\n");
  const auto indented = [&](Colour colour, const std::string& text, const std::string& session) {
    const std::size_t room = style.width > 2 ? style.width - 2 : style.width;
    const std::string fit = fitted(text, room);
    context.print("  " + style.paint(colour, style.link_in(fit, Screen::conversation, session)) +
                  "\n");
  };
  if (const auto reason = find_string(edit, "reason")) {
    indented(Colour::italic, "“" + on_one_line(*reason) + "”", {});
  }
  const std::string session = brief(find_string(edit, "conversation_cid").value_or(""));
  indented(Colour::faint,
           fmt::format("in {}  {}", session, on_one_line(find_string(edit, "title").value_or(""))),
           session);
}

Answer log(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Result<json::object> answer = query::file_log(library, options.file, {.limit = options.limit});
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
    return Exit::done;
  }
  const json::array& edits = answer->at("edits").as_array();
  for (const json::value& edit : edits) print_edit(context, edit.get_object());
  if (edits.empty()) context.print("no conversation edited this file\n");
  const std::uint64_t total = count_or_zero(*answer, "total");
  if (edits.size() < total) {
    context.note(fmt::format("{} of {} edits; --limit N shows more", edits.size(), total));
  }
  print_notes(context, *answer);
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("FILE", options->file, "The file; it need not exist any more", {.required = true});
  arguments.add("--limit", options->limit, "Maximum number of edits (default: 20)", {.value = "N"});
  return [options](Context& context) { return log(context, *options); };
}

}  // namespace

const Command& log_command() {
  static const Command command = {
      .name = "log",
      .group = Group::ask,
      .summary = "list the edits of a file, newest first",
      .about =
          "Lists the tool calls that edited a file, newest first: when, by which model, how many\n"
          "lines they added and removed, the words of the person who asked, and the conversation.\n"
          "Calls that failed are left out, and so are copies of a call in a fork. A file of a git\n"
          "repository is recognised in its other working trees and clones.",
      .examples =
          "weft log src/loom.py\n"
          "weft log src/loom.py --limit 100\n"
          "weft log src/loom.py --json | jq '.edits[] | [.time, .reason]'",
      .see_also = "weft blame, weft diff, weft why",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
