// weft why: traces the causes of a thought.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/rendering.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string cid;
  query::WhyOptions why;
};

Answer why(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<Cid> cid = thought_called(library, options.cid);
  if (!cid) return refuse(std::move(cid));
  return print_why(context, library, *cid, options.why);
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->cid, "CID of the thought to explain", {.required = true});
  arguments.add("--depth", options->why.depth, "Maximum number of steps back (default: no limit)",
                {.value = "N"});
  arguments.add("--limit", options->why.limit, "Maximum number of thoughts (default: no limit)",
                {.value = "N"});
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
          "prompt, the answer before that, back to the start. Breadth first, each thought once.\n"
          "Printed as a tree, in which a thought hangs under the first one that names it.\n"
          "Reasoning that the keyring cannot open is shown as sealed.",
      .examples =
          "weft why 3f2a91c0\n"
          "weft why 3f2a91c0 --depth 2\n"
          "weft why cid:blake3:3f2a91c0… --json | jq '.thoughts[].type'",
      .see_also = "weft walk, weft get, weft connections",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
