#include "weft/store/sql/document_table.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

constexpr auto kPage = static_cast<std::int64_t>(kPageDocuments);

Status write_page(const PlainDatabase& database, std::int64_t page,
                  std::span<const DocumentRow> rows) {
  const std::string packed = pack_documents(rows);
  return database.run(
      "INSERT INTO search_documents (page, documents) VALUES (?, ?) "
      "ON CONFLICT (page) DO UPDATE SET documents = excluded.documents",
      page, Blob{packed});
}

Result<std::vector<DocumentRow>> read_page(const PlainDatabase& database, std::int64_t page) {
  Rows rows = database.query("SELECT documents FROM search_documents WHERE page = ?", page);
  if (rows.next()) return unpack_documents(rows.bytes(0));
  WEFT_TRY(rows.status());
  return std::vector<DocumentRow>();
}

}  // namespace

Result<IndexState> DocumentTable::index_state() {
  Rows rows = database_.query("SELECT epoch, documents, behind FROM search_state");
  IndexState state;
  if (rows.next()) {
    state = {rows.integer(0), rows.integer(1), rows.integer(2) != 0};
  }
  WEFT_TRY(rows.status());
  if (state.documents < 0 || state.documents > std::numeric_limits<Document>::max() - kPage) {
    return damaged_index();
  }
  return state;
}

Status DocumentTable::each_document_page(std::int64_t first, const VisitPage& visit) {
  Rows rows = database_.query(
      "SELECT documents FROM search_documents WHERE page >= ? ORDER BY page", first);
  while (rows.next()) WEFT_TRY(visit(rows.bytes(0)));
  return rows.status();
}

Status DocumentTable::set_index_state(const IndexState& state) {
  return database_.run("UPDATE search_state SET epoch = ?, documents = ?, behind = ?", state.epoch,
                       state.documents, std::int64_t{state.is_behind});
}

Result<Document> DocumentTable::append(std::span<const DocumentRow> rows) {
  WEFT_TRY_VALUE(auto state, index_state());
  const auto first = static_cast<Document>(state.documents + 1);
  while (!rows.empty()) {
    const std::int64_t page = state.documents / kPage;
    const auto there = static_cast<std::size_t>(state.documents % kPage);
    WEFT_TRY_VALUE(auto all, read_page(database_, page));
    if (all.size() != there) return damaged_index();
    const std::size_t count = std::min(rows.size(), kPageDocuments - there);
    all.insert(all.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    WEFT_TRY(write_page(database_, page, all));
    rows = rows.subspan(count);
    state.documents += static_cast<std::int64_t>(count);
  }
  WEFT_TRY(set_index_state(state));
  return first;
}

Result<std::vector<NumberedRow>> DocumentTable::clear(std::span<const Id> thoughts) {
  const std::unordered_set<Id> going(thoughts.begin(), thoughts.end());
  std::vector<NumberedRow> cleared;
  WEFT_TRY_VALUE(auto state, index_state());
  for (std::int64_t page = 0; page * kPage < state.documents; ++page) {
    WEFT_TRY_VALUE(auto rows, read_page(database_, page));
    const std::size_t before = cleared.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      DocumentRow& row = rows[i];
      if (!going.contains(row.thought)) continue;
      const auto number = static_cast<Document>(page * kPage + static_cast<std::int64_t>(i) + 1);
      cleared.push_back({number, std::exchange(row, DocumentRow{})});
    }
    if (cleared.size() == before) continue;
    WEFT_TRY(write_page(database_, page, rows));
  }
  if (cleared.empty()) return cleared;
  ++state.epoch;
  WEFT_TRY(set_index_state(state));
  return cleared;
}

Status DocumentTable::clear_all() {
  WEFT_TRY(database_.run("DELETE FROM search_documents"));
  return database_.run("DELETE FROM search_keys");
}

Status DocumentTable::note_keys(const IndexKeys& keys) {
  for (const auto& [index, key] :
       {std::pair(Index::metadata, &keys.metadata), std::pair(Index::content, &keys.content)}) {
    if (key->empty()) continue;
    WEFT_TRY(
        database_.run("INSERT INTO search_keys (part, key) VALUES (?, ?) ON CONFLICT DO NOTHING",
                      static_cast<std::int64_t>(index), std::string_view(*key)));
  }
  return {};
}

Result<std::vector<std::string>> DocumentTable::read_keys(Index index) {
  Rows rows = database_.query("SELECT key FROM search_keys WHERE part = ?",
                              static_cast<std::int64_t>(index));
  std::vector<std::string> keys;
  while (rows.next()) keys.emplace_back(rows.bytes(0));
  WEFT_TRY(rows.status());
  return keys;
}

}  // namespace weft::store::sql
