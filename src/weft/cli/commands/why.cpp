// weft why: traces the causes of a thought.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/trace_tree.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string cid;
  query::TraceOptions why;
  bool all = false;
};

Answer why(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<Cid> cid = thought_called(library, options.cid);
  if (!cid) return refuse(std::move(cid));
  return print_trace(context, library, *cid, Traced::causes, options.why, {},
                     options.all ? TraceTree::kAllRows : rows_for_trace(context));
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->cid, "CID of the thought to explain", {.required = true});
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
          "gets it.",
      .examples =
          "weft why 3f2a91c0\n"
          "weft why 3f2a91c0 --depth 2\n"
          "weft why 3f2a91c0 | less\n"
          "weft why cid:blake3:3f2a91c0… --json | jq '.thoughts[].type'",
      .see_also = "weft effects, weft walk, weft get, weft connections",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
