#include "weft/store/sqlite/fts5/carry_over.hpp"

#include <sqlite3.h>

#include <array>

#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/inverted/damaged_run.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/inverted/run_trim.hpp"
#include "weft/store/inverted/run_writer.hpp"
#include "weft/store/sql/index_tables.hpp"
#include "weft/store/sqlite/fts5/fts5.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft::store::sql {
namespace {

// A run that is not complete has the part of its index and this, so that nobody reads it.
constexpr std::int64_t kIncomplete = 3;  // on disk

std::int64_t incomplete_part(Index index) { return static_cast<std::int64_t>(index) + kIncomplete; }

// How many postings are moved between two looks at the clock.
constexpr int kPostingsAtOnce = 256;
// About as many terms, each as often as it stands, fill a page.
constexpr std::uint64_t kTokensOfPage = 3'000;

Result<bool> has_table(const PlainDatabase& database, std::string_view name) {
  Rows rows = database.query("SELECT 1 FROM sqlite_master WHERE name = ?", name);
  const bool is_there = rows.next();
  WEFT_TRY(rows.status());
  return is_there;
}

Result<std::optional<IndexRun>> incomplete_run(const PlainDatabase& database, Index index) {
  Rows rows = database.query("SELECT run, first, documents FROM index_runs WHERE part = ?",
                             incomplete_part(index));
  std::optional<IndexRun> run;
  if (rows.next()) {
    run = IndexRun{.number = rows.integer(0),
                   .index = index,
                   .first = static_cast<Document>(rows.integer(1)),
                   .documents = static_cast<std::uint32_t>(rows.integer(2))};
  }
  WEFT_TRY(rows.status());
  return run;
}

// The last posting of a run. Empty if it has none.
Result<std::optional<PostingPlace>> last_posting(IndexPages& pages, const IndexRun& run) {
  WEFT_TRY_VALUE(auto last, pages.read_pages(run.number, PageKind::terms, after_prefix(""), 1));
  if (last.empty()) return std::nullopt;
  WEFT_TRY_VALUE(auto body, body_of(run, PageKind::terms, last.front()));
  PostingPlace place;
  TermPageReader page(body);
  while (page.next()) {
    place.term = page.entry().term;
    PostingCursor cursor(page.entry().postings, run.documents);
    while (cursor.next()) place.document = run.first + cursor.posting().document;
  }
  if (page.is_damaged() || place.document == 0) {
    return damaged_run(run, PageKind::terms, last.front().key, "an entry cannot be read");
  }
  return place;
}

class Carrier {
 public:
  Carrier(const PlainDatabase& database, const IndexRun& run, const std::function<bool()>& is_over)
      : database_(database), run_(run), is_over_(is_over), pages_(database), writer_(pages_, run) {}

  Status run() {
    WEFT_TRY_VALUE(const auto last, last_posting(pages_, run_));
    WEFT_TRY(writer_.resume());
    const Fts5::Visit take = [this](std::string_view term, const Posting& posting,
                                    std::string_view positions) {
      return add(term, posting, positions);
    };
    Fts5 fts5(database_);
    if (last) WEFT_TRY(fts5.each_posting(run_.index, last->term, last->document, take));
    if (!is_stopped_) {
      WEFT_TRY(fts5.each_posting_after(run_.index, last ? last->term : "", take));
    }
    WEFT_TRY(writer_.flush());
    return is_stopped_ ? Status() : complete();
  }

 private:
  Result<bool> add(std::string_view term, const Posting& posting, std::string_view positions) {
    if (!is_indexable(term)) return true;
    const bool is_of_run = posting.document >= run_.first && posting.document <= run_.documents;
    if (!is_of_run) {
      return fail(ErrorCode::corrupt,
                  "the search index is damaged: it has a document that is not there; rebuild it "
                  "with weft reindex");
    }
    WEFT_TRY(writer_.add(term, posting, has_positions(run_.index) ? positions : ""));
    if (++added_ % kPostingsAtOnce == 0) is_stopped_ = is_over_();
    return !is_stopped_;
  }

  // Takes the place of FTS5.
  Status complete() {
    Rows rows = database_.query("SELECT count(*) FROM index_pages WHERE run = ?", run_.number);
    const auto pages = rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
    while (rows.next()) {
    }
    WEFT_TRY(rows.status());
    if (pages == 0) return pages_.remove_run(run_.number);
    return database_.run("UPDATE index_runs SET part = ?, level = ? WHERE run = ?",
                         static_cast<std::int64_t>(run_.index),
                         std::int64_t{InvertedIndex::level_of(pages * kTokensOfPage)}, run_.number);
  }

  const PlainDatabase& database_;
  const IndexRun run_;
  const std::function<bool()>& is_over_;
  IndexTables pages_;
  RunWriter writer_;
  std::uint64_t added_ = 0;
  bool is_stopped_ = false;
};

// Each deletes a piece of a table behind FTS5. What FTS5 reads when it opens a table, rows 1 and
// 10, stays until the table is dropped.
constexpr std::array<Sql, 6> kEmptyPieces = {
    "DELETE FROM search_clear_data WHERE id IN (SELECT id FROM search_clear_data WHERE id > 10 "
    "LIMIT 64)",
    "DELETE FROM search_metadata_data WHERE id IN (SELECT id FROM search_metadata_data WHERE id > "
    "10 "
    "LIMIT 64)",
    "DELETE FROM search_content_data WHERE id IN (SELECT id FROM search_content_data WHERE id > 10 "
    "LIMIT 64)",
    "DELETE FROM search_clear_idx WHERE (segid, term) IN (SELECT segid, term FROM "
    "search_clear_idx LIMIT 256)",
    "DELETE FROM search_metadata_idx WHERE (segid, term) IN (SELECT segid, term FROM "
    "search_metadata_idx LIMIT 256)",
    "DELETE FROM search_content_idx WHERE (segid, term) IN (SELECT segid, term FROM "
    "search_content_idx LIMIT 256)"};

// While it lives, the tables behind FTS5 can be written to, which SQLite otherwise refuses
// (src/weft/sqlite/database.cpp).
class OpenShadowTables {
 public:
  explicit OpenShadowTables(const PlainDatabase& database) : handle_(sqlite::handle_of(database)) {
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  }
  OpenShadowTables(const OpenShadowTables&) = delete;
  OpenShadowTables& operator=(const OpenShadowTables&) = delete;
  ~OpenShadowTables() { sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr); }

 private:
  sqlite3* const handle_;
};

// Returns whether more is left.
Result<bool> empty_fts5(const PlainDatabase& database, const std::function<bool()>& is_over) {
  WEFT_TRY_VALUE(const bool is_there, has_table(database, "search_clear"));
  if (!is_there) return false;
  const OpenShadowTables open(database);
  for (const Sql& piece : kEmptyPieces) {
    while (true) {
      WEFT_TRY(database.run(piece));
      if (database.changes() == 0) break;
      if (is_over()) return true;
    }
  }
  WEFT_TRY(remove_fts5(database));
  return false;
}

}  // namespace

Status begin_carry_over(const PlainDatabase& database) {
  Rows rows = database.query("SELECT documents FROM search_state");
  const std::int64_t documents = rows.next() ? rows.integer(0) : 0;
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  if (documents == 0) return remove_fts5(database);
  for (const Index index : kIndexes) {
    WEFT_TRY(database.run(
        "INSERT INTO index_runs (run, part, level, first, documents) VALUES (?, ?, 0, 1, ?)",
        static_cast<std::int64_t>(index) + 1, incomplete_part(index), documents));
  }
  return {};
}

Result<std::optional<Document>> last_in_fts5(const PlainDatabase& database, Index index) {
  WEFT_TRY_VALUE(const auto run, incomplete_run(database, index));
  if (!run) return std::nullopt;
  return run->documents;
}

Result<bool> carry_over(const PlainDatabase& database, const std::function<bool()>& is_over) {
  for (const Index index : kIndexes) {
    WEFT_TRY_VALUE(const auto run, incomplete_run(database, index));
    if (!run) continue;
    WEFT_TRY(Carrier(database, *run, is_over).run());
    return true;
  }
  return empty_fts5(database, is_over);
}

Status remove_fts5(const PlainDatabase& database) {
  WEFT_TRY(drop_fts5(database));
  return remove_sums_of_dropped(database);
}

}  // namespace weft::store::sql
