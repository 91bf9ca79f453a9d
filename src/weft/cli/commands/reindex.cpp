// weft reindex: rebuilds the search index, and fills the tables that are behind.
#include <fmt/format.h>

#include <chrono>

#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/ingest/fill_tables.hpp"
#include "weft/ingest/reweave.hpp"

namespace weft::cli {
namespace {

// A keyring without both keys would lose entries of the index.
bool opens_all(const crypto::Keyring& keyring) {
  return keyring.layer(crypto::Layer::metadata) != nullptr &&
         keyring.layer(crypto::Layer::content) != nullptr;
}

// Whether the keyring opens any of the sealed thoughts, if there are any: nobody could use an index
// made with other keys.
Result<bool> is_of_this_store(const store::Store& store, const crypto::Keyring& keyring) {
  bool is_sealed = false, is_opened = false;
  const auto look_at = [&](const std::optional<crypto::Box>& box, crypto::Layer layer) {
    if (!box) return;
    is_sealed = true;
    is_opened = is_opened || keyring.find_key(layer, box->key_id) != nullptr;
  };
  const store::Inspector inspector{
      .thought =
          [&](const store::CanonicalThought& found) {
            look_at(found.thought.layers.metadata, crypto::Layer::metadata);
            look_at(found.thought.layers.content, crypto::Layer::content);
          },
      .connection = [](const std::optional<Cid>&, const thought::Connection&) {},
      .dangling = [](const Cid&) {},
      .broken = [](const Cid&, const std::string&) {}};
  WEFT_TRY_VALUE(const auto ranges, store.audit().scan_ranges());
  for (const store::ScanRange& range : ranges) {
    if (is_opened) break;
    WEFT_TRY(store.audit().inspect(range, inspector));
  }
  return is_opened || !is_sealed;
}

Status check_keys(const Opened& opened) {
  if (!opened.keyring) {
    return fail(
        ErrorCode::denied,
        "cannot rebuild the index: there is no keyring, and sealed text could no longer be found");
  }
  if (!opens_all(*opened.keyring)) {
    return fail(ErrorCode::denied,
                "cannot rebuild the index: this keyring does not open all sealed layers, and the "
                "text in them could no longer be found");
  }
  WEFT_TRY_VALUE(auto fits, is_of_this_store(*opened.store, *opened.keyring));
  if (fits) return {};
  return fail(ErrorCode::denied,
              "cannot rebuild the index: the store is sealed with other keys than this keyring's, "
              "and sealed text could no longer be found");
}

// Reads sources again that were ingested before model requests were recorded. Returns how many.
Outcome<std::uint64_t> read_requests(const Context& context, const Opened& opened) {
  if (!opened.keyring || !opened.keyring->can_sign()) return std::uint64_t{0};
  Outcome<ingest::Options> options = options_for(context, {}, {});
  if (!options) return refuse(std::move(options));
  Result<ingest::Report> report = ingest::reweave(*opened.store, *opened.keyring,
                                                  *std::move(options), ingest::Which::uncounted);
  if (!report) return refuse(std::move(report).error());
  return report->files;
}

Answer reindex(const Context& context) {
  const auto began = std::chrono::steady_clock::now();
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Outcome<Opened> opened = context.open_to_change();
  if (!opened) return refuse(std::move(opened));
  if (config->index_sealed) {
    if (Status fine = check_keys(*opened); !fine) {
      return refuse(std::move(fine).error(),
                    "name the owner's keyring, or a content keyring, with --keys FILE");
    }
  }
  ProgressLine line(context.err());
  std::uint64_t indexed = 0;
  Status made = opened->store->writer().reindex(
      {.keyring = opened->keys(), .index_sealed = config->index_sealed},
      [&](std::uint64_t done, std::uint64_t all) {
        indexed = done;
        line.show(fmt::format("indexing: {} of {}", count(done), count(all, "thought")));
      });
  if (made && opened->keyring) {
    made =
        ingest::fill_tables(*opened->store, *opened->keyring, [&](const store::FillProgress& now) {
          line.show(
              fmt::format("tables: {} of {}", count(now.done), count(now.all, "conversation")));
        });
  }
  line.clear();
  if (!made) return refuse(std::move(made).error(), "the previous index is unchanged");
  Outcome<std::uint64_t> reread = read_requests(context, *opened);
  if (!reread) return refuse(std::move(reread));
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  if (context.json()) {
    context.print_json(
        json::object{{"indexed", indexed}, {"reread", *reread}, {"elapsed_ms", elapsed.count()}});
  } else {
    context.print(
        fmt::format("indexed {} in {}\n", count(indexed, "thought"), duration(elapsed.count())));
    if (*reread > 0) {
      context.print(fmt::format("read the model requests of {}\n", count(*reread, "source")));
    }
  }
  return Exit::done;
}

Action prepare(Arguments&) {
  return [](Context& context) { return reindex(context); };
}

}  // namespace

const Command& reindex_command() {
  static const Command command = {
      .name = "reindex",
      .group = Group::check,
      .summary = "rebuild the search index, fill tables",
      .about =
          "Rebuilds the index used by weft search from the stored thoughts: after index_sealed\n"
          "was changed in config.json, or when a search does not find an existing thought. The\n"
          "previous index stays in use until the new one is complete. Needs a keyring that opens\n"
          "everything (the owner's, or a content keyring) unless index_sealed is false.\n\n"
          "Then fills the tables that weft list and weft stats read, as far as an upgrade left\n"
          "them behind, and reads the files again, or their archive, of sessions that were\n"
          "ingested before weft recorded model requests, so that weft cost knows them.",
      .examples =
          "weft reindex\n"
          "weft reindex --json",
      .see_also = "weft search, weft doctor, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
