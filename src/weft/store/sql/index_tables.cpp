#include "weft/store/sql/index_tables.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

// The first six columns are those of index_runs in this order.
Result<IndexRun> to_run(const Rows& rows) {
  const std::int64_t part = rows.integer(1), state = rows.integer(2), level = rows.integer(3),
                     first = rows.integer(4), documents = rows.integer(5);
  const bool is_whole = part >= 0 && part <= 2 && state >= 0 && state <= 2 && level >= 0 &&
                        level <= UINT32_MAX && first >= 1 && documents >= 1 &&
                        first <= UINT32_MAX && documents <= UINT32_MAX - first + 1;
  if (!is_whole) {
    return fail(ErrorCode::corrupt, "the search index is damaged: run " +
                                        std::to_string(rows.integer(0)) +
                                        " cannot be read; rebuild it with weft reindex");
  }
  return IndexRun{.number = rows.integer(0),
                  .index = static_cast<Index>(part),
                  .state = static_cast<IndexRun::State>(state),
                  .level = static_cast<std::uint32_t>(level),
                  .first = static_cast<Document>(first),
                  .documents = static_cast<std::uint32_t>(documents)};
}

std::int64_t on_disk(auto value) { return static_cast<std::int64_t>(value); }

}  // namespace

Status create_index_tables(const PlainDatabase& database) {
  return database.script(R"sql(
CREATE TABLE index_runs (
  run BIGINT PRIMARY KEY,
  part BIGINT NOT NULL,
  state BIGINT NOT NULL,
  level BIGINT NOT NULL,
  first BIGINT NOT NULL,
  documents BIGINT NOT NULL
);
CREATE UNIQUE INDEX index_runs_live ON index_runs (part, first) WHERE state = 0;
CREATE TABLE index_pages (
  run BIGINT NOT NULL,
  kind BIGINT NOT NULL,
  key BLOB NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (run, kind, key)
);
)sql");
}

Result<std::vector<IndexRun>> IndexTables::runs(Index index) {
  Rows rows = database_.query(
      "SELECT run, part, state, level, first, documents FROM index_runs WHERE part = ? "
      "ORDER BY first, run",
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
  WEFT_TRY(
      database_.run("INSERT INTO index_runs (run, part, state, level, first, documents) "
                    "VALUES (?, ?, ?, ?, ?, ?)",
                    number, on_disk(run.index), on_disk(run.state), on_disk(run.level),
                    on_disk(run.first), on_disk(run.documents)));
  return number;
}

Status IndexTables::update_run(const IndexRun& run) {
  return database_.run("UPDATE index_runs SET state = ?, level = ? WHERE run = ?",
                       on_disk(run.state), on_disk(run.level), run.number);
}

Status IndexTables::remove_run(std::int64_t run) {
  return database_.run("DELETE FROM index_runs WHERE run = ?", run);
}

Status IndexTables::put_page(std::int64_t run, PageKind kind, std::string_view key,
                             std::string_view body) {
  return database_.run("INSERT INTO index_pages (run, kind, key, body) VALUES (?, ?, ?, ?)", run,
                       on_disk(kind), Blob{key}, Blob{body});
}

Result<std::size_t> IndexTables::drop_pages(std::int64_t run, std::size_t most) {
  for (const PageKind kind : {PageKind::terms, PageKind::positions}) {
    std::size_t found = 0;
    std::string last;
    {
      Rows rows = database_.query(
          "SELECT key FROM index_pages WHERE run = ? AND kind = ? ORDER BY key LIMIT ?", run,
          on_disk(kind), on_disk(most));
      for (; rows.next(); ++found) last = rows.bytes(0);
      WEFT_TRY(rows.status());
    }
    if (found == 0) continue;
    WEFT_TRY(database_.run("DELETE FROM index_pages WHERE run = ? AND kind = ? AND key <= ?", run,
                           on_disk(kind), Blob{last}));
    return found;
  }
  return 0;
}

// SQLite reads the tables of a CROSS JOIN in this order, and by their indexes in that of the
// result. Where no page has a key as low as `from`, the range begins at `from`.
Status IndexTables::each_page(Index index, std::string_view from, std::string_view to,
                              const VisitPage& visit) {
  Rows rows = database_.query(
      "SELECT r.run, r.part, r.state, r.level, r.first, r.documents, p.key, p.body "
      "FROM index_runs r CROSS JOIN index_pages p "
      "WHERE r.part = ?1 AND r.state = 0 AND p.run = r.run AND p.kind = ?2 AND p.key < ?4 "
      "AND p.key >= coalesce((SELECT b.key FROM index_pages b WHERE b.run = r.run "
      "AND b.kind = ?2 AND b.key <= ?3 ORDER BY b.key DESC LIMIT 1), ?3) "
      "ORDER BY r.first, p.key",
      on_disk(index), on_disk(PageKind::terms), Blob{from}, Blob{to});
  while (rows.next()) {
    WEFT_TRY_VALUE(auto run, to_run(rows));
    WEFT_TRY(visit(run, rows.bytes(6), rows.bytes(7)));
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
