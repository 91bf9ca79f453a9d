// weft reweave: what an older weft wove, woven again.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/ingest/ingest_command.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/ingest/reweave.hpp"

namespace weft::cli {
namespace {

struct Options {
  bool all = false;
  std::optional<std::string> human, model;
};

Answer weave_again(const Context& context, const Options& options) {
  Asked<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  Asked<ingest::Options> what = options_for(context, {}, {});
  if (!what) return refuse(std::move(what));
  if (options.human) what->human = options.human;
  what->model = options.model;
  const ingest::Which which = options.all ? ingest::Which::all : ingest::Which::outdated;
  const auto work = [which](store::Store& store, const crypto::Keyring& keyring,
                            const ingest::Options& how) {
    return ingest::reweave(store, keyring, how, which);
  };
  return ingest_and_report(
      context, *opened, *std::move(what), work,
      {Exit::done, "nothing to weave again: what is here was woven by this weft"});
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.flag("--all", options->all, "All there is, also what today's weft wove");
  arguments.add("--human", options->human, "As it was given to weft ingest",
                {.value = "NAME", .check = why_no_name});
  arguments.add("--model", options->model, "As it was given to weft ingest",
                {.value = "NAME", .check = why_no_name});
  return [options](Context& context) { return weave_again(context, *options); };
}

}  // namespace

const Command& reweave_command() {
  static const Command command = {
      .name = "reweave",
      .group = Group::run_ingest,
      .summary = "weave again what an older weft wove",
      .about =
          "A file that was taken in is gone on with as it was begun. After an update of weft that\n"
          "reads a format better, this reads every file of that format again: where it lies, or\n"
          "from the archive if its tool has deleted it. What comes out as it was adds nothing; a\n"
          "block that comes out otherwise supersedes the one in its place, and both stay.\n"
          "Sessions that were recorded as they happened are left as they are.",
      .examples =
          "weft reweave\n"
          "weft reweave --all --json",
      .see_also = "weft ingest, weft sources, weft reindex",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
