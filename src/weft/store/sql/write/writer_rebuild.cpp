// Rebuilding what is derived: in one transaction, first by the sums, which know what was there,
// then from the thoughts.
#include <algorithm>
#include <iterator>

#include "weft/base/try.hpp"
#include "weft/store/sql/derived/all_checks.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {
namespace {

bool is_any_of(const std::vector<StoreFinding>& findings, std::string_view prefix) {
  return std::ranges::any_of(
      findings, [&](const StoreFinding& finding) { return finding.table.starts_with(prefix); });
}

// Thoughts, connections and their names are mended by their CIDs, not here.
bool is_signed(std::string_view table) {
  return table == "thoughts" || table == "edge_pages" || table == "names";
}

// Undoes what the sums tell. Tables of which the rows are whole again.
Status mend_by_sums(Derivation& from, const std::vector<StoreFinding>& findings) {
  std::vector<std::string> tables;
  for (const StoreFinding& finding : findings) {
    const bool known = std::ranges::find(tables, finding.table) != tables.end();
    if (known || is_signed(finding.table) || finding.table == "weft.db") continue;
    tables.push_back(finding.table);
    WEFT_TRY_VALUE([[maybe_unused]] auto mended, from.database.sums().mend(finding.table));
  }
  from.words.forget();
  return {};
}

// The conversations' counts follow from runs and shares: not from damaged ones.
Result<bool> is_held_known(Derivation& from) {
  for (const std::string_view table : {"runs", "shares"}) {
    FindingList out(from.database, from.words);
    WEFT_TRY(check_sum(from, table, out));
    if (!out.empty()) return false;
  }
  return true;
}

}  // namespace

Status RowWriter::rebuild_tables(Derivation& from, const std::vector<StoreFinding>& before,
                                 const Indexer& indexer, const ReadThoughts& read) {
  WEFT_TRY(mend_by_sums(from, before));
  for (const Recomputed& table : recomputed(database_)) {
    FindingList found(from.database, from.words);
    if (table.rebuild == nullptr || !table.check(from, found) || found.empty()) continue;
    if (table.rebuild == rebuild_conversations) {
      WEFT_TRY_VALUE(auto known, is_held_known(from));
      if (!known) continue;
    }
    WEFT_TRY(table.rebuild(from));
    for (const std::string_view name : table.tables) WEFT_TRY(sums_.recount(name));
  }
  WEFT_TRY_VALUE(const auto after, run_all_checks(from, {}));
  // Damage that the sums could not undo: a search index, and the words in it.
  if (is_any_of(after, "search_") || is_any_of(after, "index_")) {
    WEFT_TRY(index_all(indexer, read, {}, {}));
  }
  return {};
}

Result<Rebuilt> RowWriter::rebuild(
    const Indexer& indexer, const ReadThoughts& read,
    const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  WEFT_TRY_VALUE(auto transaction, begin());
  Derivation from(database_);
  from.keyring = indexer.keyring;
  WEFT_TRY_VALUE(auto before, run_all_checks(from, progress));
  Rebuilt rebuilt;
  if (!before.empty()) {
    const Sums::Pause pause(sums_);
    WEFT_TRY(rebuild_tables(from, before, indexer, read));
    words_.forget();
    WEFT_TRY_VALUE(rebuilt.lost, run_all_checks(from, {}));
    std::ranges::sort(before);
    std::ranges::sort(rebuilt.lost);
    std::ranges::set_difference(before, rebuilt.lost, std::back_inserter(rebuilt.mended));
  }
  // Of a store of version 8: from here on, what is there now counts.
  WEFT_TRY_VALUE(auto complete, sums_.are_complete());
  if (!complete) WEFT_TRY(sums_.store_all());
  WEFT_TRY(finish(transaction));
  return rebuilt;
}

Status RowWriter::accept() {
  WEFT_TRY_VALUE(auto transaction, begin());
  WEFT_TRY(sums_.store_all());
  return transaction.commit();
}

}  // namespace weft::store::sql
