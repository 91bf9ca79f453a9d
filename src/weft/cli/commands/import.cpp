// weft import: adds thoughts exported by another store.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/ingest/import.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kShownRefused = 20;

json::object to_json(const ingest::ImportReport& report) {
  json::array conversations, refused;
  for (const Cid& cid : report.conversations) conversations.emplace_back(cid.str());
  for (const ingest::Refused& entry : report.refused) {
    refused.push_back({{"line", entry.line},
                       {"cid", entry.cid.empty() ? json::value(nullptr) : json::value(entry.cid)},
                       {"reason", entry.reason}});
  }
  json::array incomplete;
  for (const ingest::IncompleteConversation& conversation : report.incomplete) {
    json::array checkpoints;
    for (const Cid& cid : conversation.checkpoints) checkpoints.emplace_back(cid.str());
    incomplete.push_back({{"conversation_cid", conversation.cid.str()},
                          {"missing", conversation.missing},
                          {"checkpoints", std::move(checkpoints)}});
  }
  return {{"read", report.read},
          {"new_thoughts", report.new_thoughts},
          {"valid", report.valid},
          {"foreign", report.foreign},
          {"conversations", std::move(conversations)},
          {"refused", std::move(refused)},
          {"refused_count", report.refused_count},
          {"incomplete", std::move(incomplete)}};
}

void print_summary(const Context& context, const ingest::ImportReport& report) {
  context.print(fmt::format("read {}: {} new, {} signed by your own keys, {} by others\n",
                            count(report.read, "thought"), count(report.new_thoughts),
                            count(report.valid), count(report.foreign)));
  for (const Cid& cid : report.conversations) {
    context.print(fmt::format("  conversation {}\n", cid.brief()));
  }
  for (const ingest::IncompleteConversation& conversation : report.incomplete) {
    context.print(context.style().paint(Colour::red, "incomplete") +
                  fmt::format(" conversation {}: {} that checkpoint {} {} missing or refused\n",
                              conversation.cid.brief(), count(conversation.missing, "thought"),
                              conversation.checkpoints.front().brief(),
                              conversation.checkpoints.size() == 1
                                  ? "covers are"
                                  : fmt::format("and {} more cover are",
                                                conversation.checkpoints.size() - 1)));
  }
  if (report.refused.empty()) return;
  context.print(
      context.style().paint(Colour::red, "refused " + count(report.refused_count, "thought")) +
      "\n");
  for (std::size_t i = 0; i < std::min(kShownRefused, report.refused.size()); ++i) {
    const ingest::Refused& entry = report.refused[i];
    context.print(fmt::format("  line {}: {}{}\n", entry.line,
                              entry.cid.empty() ? "" : brief(entry.cid) + " ",
                              on_one_line(entry.reason)));
  }
  if (report.refused.size() > kShownRefused) {
    context.print(fmt::format("  … and {} more (--json lists {})\n",
                              count(report.refused_count - kShownRefused),
                              report.refused.size() == report.refused_count
                                  ? "them all"
                                  : "the first " + count(report.refused.size())));
  }
}

Answer import(const Context& context, const std::string& path) {
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Result<ingest::ThoughtsFile> file = ingest::ThoughtsFile::open(path);
  if (!file) return refuse(std::move(file).error());
  Outcome<Opened> opened = context.open_to_import();
  if (!opened) return refuse(std::move(opened));
  const query::Library library = opened->library();
  Result<ingest::ImportReport> report =
      ingest::import_thoughts(*opened->store, library.keyring, *file, config->index_sealed);
  if (!report) return refuse(std::move(report).error());
  if (context.json()) {
    context.print_json(to_json(*report));
  } else {
    print_summary(context, *report);
    if (report->valid + report->foreign == 0 && report->refused_count > 0) {
      context.note("no line of it is a thought of weft; transcripts are read by: weft ingest " +
                   path);
    }
  }
  const bool is_whole = report->refused_count == 0 && report->incomplete.empty();
  return is_whole && report->read > 0 ? Exit::done : Exit::no;
}

Action prepare(Arguments& arguments) {
  auto path = std::make_shared<std::string>();
  arguments.add("FILE", *path, "A file written by `weft export --as thoughts`", {.required = true});
  return [path](Context& context) { return import(context, *path); };
}

}  // namespace

const Command& import_command() {
  static const Command command = {
      .name = "import",
      .group = Group::run_ingest,
      .summary = "import thoughts exported by another store",
      .about =
          "Reads thoughts exported by another store, verifies each of them, and stores the valid\n"
          "ones with their original signatures: what others signed stays foreign. Invalid\n"
          "thoughts are refused and listed, conversations of which thoughts are missing are\n"
          "named, and the exit code is 1.",
      .examples =
          "weft import thoughts.jsonl\n"
          "weft import thoughts.jsonl --json | jq .refused",
      .see_also = "weft export, weft verify",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
