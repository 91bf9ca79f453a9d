#include "weft/store/sql/index_tables.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

// The first five columns are those of index_runs in this order.
Result<IndexRun> to_run(const Rows& rows) {
  const std::int64_t part = rows.integer(1), level = rows.integer(2), first = rows.integer(3),
                     documents = rows.integer(4);
  const bool is_whole = part >= 0 && part <= 2 && level >= 0 && level <= UINT32_MAX && first >= 1 &&
                        documents >= 1 && first <= UINT32_MAX &&
                        documents <= UINT32_MAX - first + 1;
  if (!is_whole) {
    return fail(ErrorCode::corrupt, "the search index is damaged: run " +
                                        std::to_string(rows.integer(0)) +
                                        " cannot be read; rebuild it with weft reindex");
  }
  return IndexRun{.number = rows.integer(0),
                  .index = static_cast<Index>(part),
                  .level = static_cast<std::uint32_t>(level),
                  .first = static_cast<Document>(first),
                  .documents = static_cast<std::uint32_t>(documents)};
}

std::int64_t on_disk(auto value) { return static_cast<std::int64_t>(value); }

}  // namespace

Result<std::vector<IndexRun>> IndexTables::runs(Index index) {
  Rows rows = database_.query(
      "SELECT run, part, level, first, documents FROM index_runs WHERE part = ? "
      "ORDER BY first, level DESC, run",
      on_disk(index));
  std::vector<IndexRun> runs;
  while (rows.next()) {
    WEFT_TRY_VALUE(auto run, to_run(rows));
    runs.push_back(run);
  }
  WEFT_TRY(rows.status());
  return runs;
}

Result<std::int64_t> IndexTables::add_run(const IndexRun& run) {
  Rows rows = database_.query("SELECT coalesce(max(run), 0) + 1 FROM index_runs");
  const std::int64_t number = rows.next() ? rows.integer(0) : 0;
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  WEFT_TRY(database_.run(
      "INSERT INTO index_runs (run, part, level, first, documents) VALUES (?, ?, ?, ?, ?)", number,
      on_disk(run.index), on_disk(run.level), on_disk(run.first), on_disk(run.documents)));
  return number;
}

Status IndexTables::remove_run(std::int64_t run) {
  WEFT_TRY(database_.run("DELETE FROM index_pages WHERE run = ?", run));
  return database_.run("DELETE FROM index_runs WHERE run = ?", run);
}

Status IndexTables::put_page(std::int64_t run, PageKind kind, std::string_view key,
                             std::string_view body) {
  return database_.run("INSERT INTO index_pages (run, kind, key, body) VALUES (?, ?, ?, ?)", run,
                       on_disk(kind), Blob{key}, Blob{body});
}

Status IndexTables::drop_pages(std::int64_t run, PageKind kind, std::string_view below) {
  return database_.run("DELETE FROM index_pages WHERE run = ? AND kind = ? AND key < ?", run,
                       on_disk(kind), Blob{below});
}

// SQLite reads the tables of a CROSS JOIN in this order, and by their indexes in that of the
// result. Where no page has a key as low as `from`, the range begins at `from`.
Status IndexTables::each_page(Index index, std::string_view from, std::string_view to,
                              const VisitPage& visit) {
  Rows rows = database_.query(
      "SELECT r.run, r.part, r.level, r.first, r.documents, p.key, p.body "
      "FROM index_runs r CROSS JOIN index_pages p "
      "WHERE r.part = ?1 AND p.run = r.run AND p.kind = ?2 AND p.key < ?4 "
      "AND p.key >= coalesce((SELECT b.key FROM index_pages b WHERE b.run = r.run "
      "AND b.kind = ?2 AND b.key <= ?3 ORDER BY b.key DESC LIMIT 1), ?3) "
      "ORDER BY r.first, r.level DESC, r.run, p.key",
      on_disk(index), on_disk(PageKind::terms), Blob{from}, Blob{to});
  while (rows.next()) {
    WEFT_TRY_VALUE(auto run, to_run(rows));
    WEFT_TRY(visit(run, rows.bytes(5), rows.bytes(6)));
  }
  return rows.status();
}

Result<std::vector<IndexPage>> IndexTables::read_pages(std::int64_t run, PageKind kind,
                                                       std::string_view from, std::size_t most) {
  Rows rows = database_.query(
      "SELECT key, body FROM index_pages WHERE run = ?1 AND kind = ?2 "
      "AND key >= coalesce((SELECT b.key FROM index_pages b WHERE b.run = ?1 AND b.kind = ?2 "
      "AND b.key <= ?3 ORDER BY b.key DESC LIMIT 1), ?3) ORDER BY key LIMIT ?4",
      run, on_disk(kind), Blob{from}, on_disk(most));
  std::vector<IndexPage> pages;
  while (rows.next()) pages.push_back({std::string(rows.bytes(0)), std::string(rows.bytes(1))});
  WEFT_TRY(rows.status());
  return pages;
}

}  // namespace weft::store::sql
