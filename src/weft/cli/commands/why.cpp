// weft why: traces the causes of a thought, or of the edits that wrote lines of a file.
#include <filesystem>
#include <memory>

#include "weft/base/typed/file_lines.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/read/blame_text.hpp"
#include "weft/cli/read/last_exchange.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/trace_tree.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string cid;
  query::TraceOptions why;
  bool all = false;
};

// A file is meant, not a thought: it looks like a path, and has a line number or exists.
bool names_lines(const std::string& text) {
  if (text.find_first_of("/.") == std::string::npos) return false;
  const std::optional<FileLines> lines = parse_file_lines(text);
  std::error_code failed;
  return (lines && lines->first) || std::filesystem::exists(text, failed);
}

// The thought that is meant: that of a CID; of a conversation, its last answer.
Outcome<Cid> thought_meant(const query::Library& library, const std::string& text) {
  Outcome<Cid> cid = thought_called(library, text);
  if (cid) return cid;
  const auto row = query::resolve_conversation(library, text);
  if (!row) return cid;
  const Result<LastExchange> last = last_exchange(library, *row);
  if (!last) return refuse(last.error());
  if (!last->answer) return cid;
  const Result<Cid> answer = Cid::parse(find_string(*last->answer, "cid").value_or(""));
  if (!answer) return refuse(answer.error());
  return *answer;
}

Answer why(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  if (names_lines(options.cid)) {
    return print_blame(context, library, {.subject = options.cid, .with_why = true});
  }
  Outcome<Cid> cid = thought_meant(library, options.cid);
  if (!cid) return refuse(std::move(cid));
  return print_trace(context, library, *cid, Traced::causes, options.why, {},
                     options.all ? TraceTree::kAllRows : rows_for_trace(context));
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID|CONV|FILE:LINE", options->cid,
                "The thought to explain; of a conversation, its last answer; or a line of a file",
                {.required = true});
  arguments.add("--depth", options->why.depth, "Maximum number of steps back (default: no limit)",
                {.value = "N"});
  arguments.add("--limit", options->why.limit, "Maximum number of thoughts (default: no limit)",
                {.value = "N"});
  arguments.flag("--all", options->all, "On a terminal: print every thought in a row of its own");
  return [options](Context& context) { return why(context, *options); };
}

}  // namespace

const Command& why_command() {
  static const Command command = {
      .name = "why",
      .group = Group::ask,
      .summary = "trace the causes of a thought",
      .about =
          "Traces a thought back along its causes: from an answer to the reasoning behind it, the\n"
          "prompt, the answer before that, back to the start; from the result of a subagent's\n"
          "call into the subagent. Breadth first, each thought once. Printed as a tree, in which "
          "a\n"
          "thought hangs under the one from which it was reached. Reasoning that cannot be read "
          "is\n"
          "shown by its summary, or as sealed. On a terminal, what does not fit the screen is\n"
          "folded: runs of tool calls first, then reasoning. --all prints every thought, as a "
          "pipe\n"
          "gets it.\n"
          "\n"
          "With FILE:LINE, it explains the edit that wrote this line, as weft blame --why does.",
      .examples =
          "weft why 3f2a91c0\n"
          "weft why last\n"
          "weft why src/loom.py:42\n"
          "weft why 3f2a91c0 --depth 2\n"
          "weft why 3f2a91c0 | less\n"
          "weft why cid:blake3:3f2a91c0… --json | jq '.thoughts[].type'",
      .see_also = "weft blame, weft effects, weft walk, weft get, weft connections",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
