// weft blame: from the lines of a file to the edits that wrote them, and who asked for them.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/read/blame_text.hpp"

namespace weft::cli {
namespace {

Answer blame(const Context& context, const BlameRequest& request) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  return print_blame(context, library, request);
}

Action prepare(Arguments& arguments) {
  auto request = std::make_shared<BlameRequest>();
  arguments.add("FILE", request->subject, "The file, FILE:LINE or FILE:FIRST-LAST",
                {.required = true});
  arguments.add("--rev", request->revision, "The file in this commit (default: as it is on disk)",
                {.value = "REV"});
  arguments.flag("--why", request->with_why, "Print what led to each edit, as a tree");
  return [request](Context& context) { return blame(context, *request); };
}

}  // namespace

const Command& blame_command() {
  static const Command command = {
      .name = "blame",
      .group = Group::ask,
      .summary = "show which edit wrote each line of a file, and who asked for it",
      .about =
          "Shows for each run of lines the tool call that wrote it, its model, the commit, and "
          "the\n"
          "words of the person who asked for it. git names the commit of each line; an edit "
          "answers\n"
          "if it wrote this line of this file after the file's previous commit and before this "
          "one.\n"
          "\n"
          "Each answer names its rule. replayed (certain): the file is known before and after the\n"
          "edits, and they lead to this line. written (likely): an edit wrote this line. earlier\n"
          "(weak): one did, but before the previous commit. A line without an answer has the "
          "reason.\n"
          "\n"
          "weft runs git on commits only and lets a repository name no program. Repositories of\n"
          "other users are refused. Without git, edits are replayed, and other lines stay silent.",
      .examples =
          "weft blame src/loom.py\n"
          "weft blame src/loom.py:42 --why\n"
          "weft blame src/loom.py:40-60 --rev HEAD~3\n"
          "weft blame src/loom.py --json | jq '.runs[] | [.first, .last, .reason]'",
      .see_also = "weft log, weft why, weft diff",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
