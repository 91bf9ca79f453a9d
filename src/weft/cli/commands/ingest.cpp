// weft ingest: reads transcripts into the store.
#include <filesystem>
#include <fstream>
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/ingest/ingest_command.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  SourceOptions where;
  std::optional<std::string> format, human, model;
  bool verbose = false;
};

std::string check_format(const std::string& name) {
  if (formats::find_adapter(name) != nullptr) return {};
  std::string known;
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    known += (known.empty() ? "" : ", ") + std::string(adapter->name);
  }
  return "unknown format '" + name + "'; known formats: " + known;
}

// An export of weft is not a transcript: it has signatures already.
void note_exports(const Context& context, const std::vector<std::string>& paths) {
  constexpr std::streamsize kHead = 4096;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;  // a pipe has no end to wait for
    std::ifstream file(path, std::ios::binary);
    std::string head(kHead, '\0');
    file.read(head.data(), kHead);
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (head.starts_with('{') && head.find("\"cid\":\"cid:blake3:") != std::string::npos) {
      const std::string shown = on_one_line(path);
      context.note(shown + " has thoughts that weft exported; they are read by: weft import " +
                   shown);
    }
  }
}

Answer run_ingest(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  note_exports(context, options.paths);
  Outcome<ingest::Options> what = options_for(context, options.where, options.paths);
  if (!what) return refuse(std::move(what));
  what->format = options.format;
  if (options.human) what->human = options.human;
  what->model = options.model;
  if (what->paths.empty() && what->folders.empty()) {
    return refuse({ErrorCode::not_found,
                   "none of the tools that weft knows has any conversations on this machine"},
                  "name files or folders: weft ingest PATH…, or weft ingest --source FORMAT:DIR");
  }
  return ingest_and_report(
      context, *opened, *std::move(what), ingest::ingest,
      {Exit::no, context.style().paint(Colour::red, "nothing could be ingested")}, options.verbose);
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("PATH", options->paths, "Files, or folders with files, to ingest");
  options->where.add_to(arguments);
  arguments.add("--format", options->format, "Read the files as this format (default: detect it)",
                {.value = "F", .check = check_format});
  arguments.add("--human", options->human,
                "Name of the person in the transcript (default: the owner)",
                {.value = "NAME", .check = why_no_name});
  arguments.add("--model", options->model, "Name of the model, for transcripts that do not name it",
                {.value = "NAME", .check = why_no_name});
  arguments.flag("--verbose", options->verbose, "List the records that were left out, by reason");
  return [options](Context& context) { return run_ingest(context, *options); };
}

}  // namespace

const Command& ingest_command() {
  static const Command command = {
      .name = "ingest",
      .group = Group::run_ingest,
      .summary = "ingest transcripts",
      .about =
          "Reads transcripts into the store: every block becomes a signed thought, reasoning is\n"
          "sealed, and the file itself is kept in a sealed archive. Without PATH and --source it\n"
          "reads the folders in which known tools keep their conversations. Ingesting the same\n"
          "file again adds nothing; of a file that has grown, only the new part is read. Records\n"
          "that cannot be read are listed by file and line, and the rest is ingested. The first\n"
          "use creates a keyring and a store. config.json in the home selects paths and projects.",
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
