// weft reweave: reads the files again that an older version of weft ingested.
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
  Outcome<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  Outcome<ingest::Options> what = options_for(context, {}, {});
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
      {Exit::done, "nothing to do: everything was ingested by this version of weft"});
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.flag("--all", options->all,
                 "Read all files again, including those that this version ingested");
  arguments.add("--human", options->human,
                "As given to weft ingest: name of the person in the transcript",
                {.value = "NAME", .check = why_no_name});
  arguments.add("--model", options->model, "As given to weft ingest: name of the model",
                {.value = "NAME", .check = why_no_name});
  return [options](Context& context) { return weave_again(context, *options); };
}

}  // namespace

const Command& reweave_command() {
  static const Command command = {
      .name = "reweave",
      .group = Group::run_ingest,
      .summary = "read files again that an older version ingested",
      .about =
          "After an update of weft that reads a format better, this command reads every file of\n"
          "that format again: from where it lies, or from the archive if its tool has deleted it.\n"
          "An unchanged block adds nothing; a block that is read differently supersedes the\n"
          "previous one, and both are kept. Sessions recorded live are left as they are.",
      .examples =
          "weft reweave\n"
          "weft reweave --all --json",
      .see_also = "weft ingest, weft sources, weft reindex",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
