// weft sources: lists the folders and files that conversations come from.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/ingest/sources.hpp"

namespace weft::cli {
namespace {

void print_table(const Context& context, const std::vector<ingest::SourceFolder>& folders) {
  Table table({{.title = "format", .colour = Colour::cyan},
               {.title = "files", .align = Align::right},
               {.title = "size", .align = Align::right},
               {.title = "ingested", .align = Align::right},
               {.title = "gone", .align = Align::right},
               {.title = "conversations", .align = Align::right},
               {.title = "last"},
               {.title = "where", .flexible = true}});
  for (const ingest::SourceFolder& folder : folders) {
    table.add({folder.format.empty() ? "any" : folder.format, count(folder.files),
               byte_size(folder.bytes), count(folder.ingested), count(folder.gone),
               count(folder.conversations),
               folder.last_ingest ? local_date_time(*folder.last_ingest) : "never",
               on_one_line(folder.path)});
  }
  context.print(table.str(context.style()));
}

// The store and its owner's keyring; empty if nothing was ingested yet. It is a question, so
// nothing is created.
Outcome<std::optional<Opened>> open_sources(const Context& context) {
  const std::optional<store::StoreUrl::Status> there = context.home().store.find_status();
  if (!there || there->bytes == 0) return std::nullopt;
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const crypto::Keyring* keyring = opened->keys();
  Status owned;
  if (keyring == nullptr) owned = check_owner_present(*opened->store, context.home());
  else if (keyring->can_sign()) owned = check_owner(*opened->store, context.home(), *keyring);
  if (!owned) return refuse(std::move(owned).error());
  if (keyring == nullptr) return std::nullopt;  // everything in it was imported
  return *std::move(opened);
}

Answer source_files(const Context& context, const std::optional<Opened>& opened) {
  Result<std::vector<ingest::SourceEntry>> entries = std::vector<ingest::SourceEntry>();
  if (opened) entries = ingest::list_source_files(*opened->store, *opened->keyring);
  if (!entries) return refuse(entries.error());
  if (context.json()) {
    context.print_json(ingest::to_json(*entries));
    return Exit::done;
  }
  Table table({{.title = "format", .colour = Colour::cyan},
               {.title = "project"},
               {.title = "archived", .align = Align::right},
               {.title = "conversations", .align = Align::right},
               {.title = "last"},
               {.title = "file", .flexible = true}});
  for (const ingest::SourceEntry& entry : *entries) {
    table.add({entry.format, on_one_line(entry.project), byte_size(entry.archived),
               count(entry.conversations), local_date_time(entry.last_ingest),
               on_one_line(entry.path) + (entry.is_gone ? " (gone)" : "")});
  }
  context.print(table.str(context.style()));
  return Exit::done;
}

Answer sources(const Context& context, const SourceOptions& where, bool files) {
  Outcome<std::optional<Opened>> opened = open_sources(context);
  if (!opened) return refuse(std::move(opened));
  if (files) return source_files(context, *opened);
  Outcome<ingest::Options> places = options_for(context, where, {});
  if (!places) return refuse(std::move(places));
  Result<std::vector<ingest::SourceFolder>> folders =
      *opened ? ingest::list_sources(*(*opened)->store, *(*opened)->keyring, places->folders)
              : ingest::list_folders(places->folders);
  if (!folders) return refuse(std::move(folders).error());
  if (context.json()) {
    context.print_json(ingest::to_json(*folders));
  } else if (folders->empty()) {
    context.note("none of the tools that weft knows has any conversations on this machine");
  } else {
    print_table(context, *folders);
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto where = std::make_shared<SourceOptions>();
  where->add_to(arguments);
  auto files = std::make_shared<bool>(false);
  arguments.flag("--files", *files, "List every ingested file by itself");
  return [where, files](Context& context) { return sources(context, *where, *files); };
}

}  // namespace

const Command& sources_command() {
  static const Command command = {
      .name = "sources",
      .group = Group::run_ingest,
      .summary = "list the folders and files that conversations come from",
      .about =
          "Lists the folders in which tools keep their conversations on this machine, and those\n"
          "that were ingested before: how many files they have, how many were ingested, and how\n"
          "many of those no longer exist. Files that no longer exist are kept in the archive: see\n"
          "weft restore.",
      .examples =
          "weft sources\n"
          "weft sources --files | grep gone\n"
          "weft sources --source pi:~/backup/sessions\n"
          "weft sources --json | jq '.sources[] | select(.gone > 0)'",
      .see_also = "weft ingest, weft restore",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
