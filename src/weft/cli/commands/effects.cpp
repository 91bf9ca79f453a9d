// weft effects: traces what came of a thought.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/read/changes_text.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/trace_tree.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string cid;
  query::TraceOptions trace;
  bool all = false, changes = false;
  std::optional<std::string> repository;
};

Answer effects(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<Cid> cid = thought_called(library, options.cid);
  if (!cid) return refuse(std::move(cid));
  json::object front;
  if (options.changes || options.repository) {
    Result<json::object> changes =
        query::changes(library, *cid, {.repository = options.repository, .now = now()});
    if (!changes) return refuse(std::move(changes).error());
    front["changes"] = *std::move(changes);
  }
  Answer printed = print_trace(context, library, *cid, Traced::effects, options.trace, front,
                               options.all ? TraceTree::kAllRows : rows_for_trace(context));
  const json::object* changes = find_object(front, "changes");
  if (printed && changes != nullptr && !context.json()) print_changes(context, *changes);
  return printed;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->cid, "CID of the thought to start from", {.required = true});
  arguments.add("--depth", options->trace.depth,
                "Maximum number of steps forward (default: no limit)", {.value = "N"});
  arguments.add("--limit", options->trace.limit, "Maximum number of thoughts (default: no limit)",
                {.value = "N"});
  arguments.flag("--all", options->all, "Print every thought in a row of its own");
  arguments.flag("--changes", options->changes,
                 "Go on to edits of files, commits, and the lines that stand today");
  arguments.add("--repo", options->repository,
                "With --changes: the repository (default: that of each edited file)",
                {.value = "DIR"});
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
          "one from which it was reached.\n"
          "\n"
          "With --changes it goes on into the code: the edits of the calls that rest on the "
          "thought,\n"
          "up to the next words of a person, the commits that hold them, and their lines that "
          "stand\n"
          "today, each with its rule as weft blame names it. Like blame, it lets a repository name "
          "no\n"
          "program, and refuses repositories of other users.",
      .examples =
          "weft effects 3f2a91c0 --depth 2\n"
          "weft effects 3f2a91c0 --json | jq '.thoughts[].reached_by'\n"
          "weft effects 3f2a91c0 --changes --depth 1\n"
          "weft effects 3f2a91c0 --changes --repo ~/src/looms --json | jq .changes.lines",
      .see_also = "weft why, weft walk, weft blame",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
