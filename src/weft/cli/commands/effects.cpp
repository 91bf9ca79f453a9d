// weft effects: traces what came of a thought.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/trace_tree.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string cid;
  query::TraceOptions trace;
  bool all = false;
};

Answer effects(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<Cid> cid = thought_called(library, options.cid);
  if (!cid) return refuse(std::move(cid));
  return print_trace(context, library, *cid, Traced::effects, options.trace, {},
                     options.all ? TraceTree::kAllRows : rows_for_trace(context));
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->cid, "CID of the thought to start from", {.required = true});
  arguments.add("--depth", options->trace.depth,
                "Maximum number of steps forward (default: no limit)", {.value = "N"});
  arguments.add("--limit", options->trace.limit, "Maximum number of thoughts (default: no limit)",
                {.value = "N"});
  arguments.flag("--all", options->all, "Print every thought in a row of its own");
  return [options](Context& context) { return effects(context, *options); };
}

}  // namespace

const Command& effects_command() {
  static const Command command = {
      .name = "effects",
      .group = Group::ask,
      .summary = "trace what came of a thought",
      .about =
          "Traces a thought forward along its effects: from a prompt to the reasoning about it,\n"
          "the calls, their results, the answers, up to the newest; into the subagents that a "
          "call\n"
          "spawned, and back to the result that they returned. It is the opposite of weft why.\n"
          "Breadth first, each thought once. Printed as a tree, in which a thought hangs under "
          "the\n"
          "one from which it was reached.",
      .examples =
          "weft effects 3f2a91c0 --depth 2\n"
          "weft effects 3f2a91c0 --json | jq '.thoughts[].reached_by'",
      .see_also = "weft why, weft walk, weft connections",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
