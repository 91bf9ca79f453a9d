// weft ingest: transcripts become thoughts.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/ingest/ingest_command.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  SourceOptions where;
  std::optional<std::string> format, human, model;
};

std::string check_format(const std::string& name) {
  if (formats::find_adapter(name) != nullptr) return {};
  std::string known;
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    known += (known.empty() ? "" : ", ") + std::string(adapter->name);
  }
  return "there is no format '" + name + "'; there are: " + known;
}

Answer run_ingest(const Context& context, const Options& options) {
  Asked<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  Asked<ingest::Options> what = options_for(context, options.where, options.paths);
  if (!what) return refuse(std::move(what));
  what->format = options.format;
  if (options.human) what->human = options.human;
  what->model = options.model;
  if (what->paths.empty() && what->folders.empty()) {
    return refuse(
        {ErrorCode::not_found, "none of the tools that weft knows has left anything here"},
        "name files or folders: weft ingest PATH…, or weft ingest --source FORMAT:DIR");
  }
  return ingest_and_report(
      context, *opened, *std::move(what), ingest::ingest,
      {Exit::no, context.style().paint(Colour::red, "nothing could be taken in")});
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("PATH", options->paths, "Files, and folders with files");
  options->where.add_to(arguments);
  arguments.add("--format", options->format, "Read them as this, whatever they look like",
                {.value = "F", .check = check_format});
  arguments.add("--human", options->human, "Whose words a person's words are, if not yours",
                {.value = "NAME", .check = why_no_name});
  arguments.add("--model", options->model, "Who answers, where a transcript does not say",
                {.value = "NAME", .check = why_no_name});
  return [options](Context& context) { return run_ingest(context, *options); };
}

}  // namespace

const Command& ingest_command() {
  static const Command command = {
      .name = "ingest",
      .group = Group::run_ingest,
      .summary = "take transcripts in",
      .about =
          "Reads transcripts and weaves them into the web: every block becomes a signed thought,\n"
          "reasoning is sealed, and the file itself is kept in a sealed archive. Without PATH and\n"
          "--source it looks where every tool keeps its conversations. Taking the same file in\n"
          "again adds nothing; of one that has grown only what is new is read. What cannot be\n"
          "read is listed by file and line, and the rest is taken. The first use makes a keyring\n"
          "and a store. Which paths and projects are wanted can be said in config.json.",
      .examples =
          "weft ingest\n"
          "weft ingest talk.txt data-export.zip ~/old-sessions\n"
          "weft ingest --source openclaw:~/.openclaw/agents/clawd/sessions\n"
          "weft ingest --pattern 'weft*' --json\n"
          "weft ingest talk.json --format anthropic-transcript --human Grace",
      .see_also = "weft sources, weft list, weft restore, weft reweave, weft import",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
