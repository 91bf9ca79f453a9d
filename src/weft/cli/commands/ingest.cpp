// weft ingest: transcripts become thoughts.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "weft/cli/command.hpp"
#include "weft/cli/figures.hpp"
#include "weft/cli/progress.hpp"
#include "weft/cli/taken.hpp"
#include "weft/cli/text.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
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

std::string check_human(const std::string& name) {
  const Status fine = crypto::Keyring::check_owner_name(name);
  return fine ? std::string() : fine.error().message;
}

std::string shown(const ingest::Progress& progress) {
  const std::uint64_t percent =
      progress.bytes_total == 0 ? 0 : progress.bytes * 100 / progress.bytes_total;
  return fmt::format("taking in: {} of {}, {} of {} ({} %)", count(progress.files),
                     count(progress.files_total, "file"), byte_size(progress.bytes),
                     byte_size(progress.bytes_total), percent);
}

Answer take_in(const Context& context, const Options& options) {
  const auto began = std::chrono::steady_clock::now();
  Asked<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  ProgressLine line(context.err());
  ingest::Options what{.paths = {options.paths.begin(), options.paths.end()},
                       .format = options.format,
                       .human = options.human,
                       .model = options.model,
                       .clock = now,
                       .progress = [&](const ingest::Progress& p) { line.show(shown(p)); }};
  Result<ingest::Report> report = ingest::ingest(*opened->store, *opened->keyring, what);
  line.clear();
  if (!report) {
    return refuse(std::move(report).error(),
                  "what was committed stays; the same command goes on from there");
  }
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  Result<json::object> answer = to_json(*report, opened->library(), elapsed.count());
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
  } else {
    context.print(to_summary(*answer, context.style()));
  }
  return report->conversations.empty() ? Exit::no : Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("PATH", options->paths, "The files", {.required = true});
  arguments.add("--format", options->format, "Read them as this, whatever they look like",
                {.value = "F", .check = check_format});
  arguments.add("--human", options->human, "Whose words a person's words are, if not yours",
                {.value = "NAME", .check = check_human});
  arguments.add("--model", options->model, "Who answers, where a transcript does not say",
                {.value = "NAME", .check = check_human});
  return [options](Context& context) { return take_in(context, *options); };
}

}  // namespace

const Command& ingest_command() {
  static const Command command = {
      .name = "ingest",
      .group = Group::take_in,
      .summary = "take transcripts in",
      .about =
          "Reads transcripts and weaves them into the web: every block becomes a signed thought,\n"
          "reasoning is sealed. Taking the same file in again adds nothing; a file that has\n"
          "grown adds what is new. What cannot be read is listed by file and line, and the\n"
          "rest is taken. The first use makes a keyring and a store.",
      .examples =
          "weft ingest talk.txt\n"
          "weft ingest *.txt --human Grace\n"
          "weft ingest talk.json --format anthropic-transcript --json",
      .see_also = "weft list, weft why, weft verify, weft import",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
