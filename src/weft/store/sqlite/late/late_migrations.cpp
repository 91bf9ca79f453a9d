#include "weft/store/sqlite/late/late_migrations.hpp"

#include <array>

#include "weft/base/try.hpp"
#include "weft/store/sqlite/fts5/carry_over.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft::store::sql {
namespace {

// Version 10: tables that are filled after the migration (late_table.hpp), so that it takes no
// time. The triggers stop the writers of versions 8 and 9 that still have the store open: each of
// their writes meets one. Wefts that know this version switch triggers off (schema.cpp).
constexpr const char* kVersion10 = R"sql(
CREATE TABLE late_tables (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  behind INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO late_tables
  SELECT column1, 1, EXISTS (SELECT 1 FROM conversations) FROM (VALUES ('catalogue'), ('tallies'));
CREATE TABLE catalogue (
  conversation INTEGER PRIMARY KEY,
  parent INTEGER,
  clear BLOB,
  metadata BLOB,
  content BLOB
) STRICT;
CREATE INDEX catalogue_parent ON catalogue (parent) WHERE parent IS NOT NULL;
CREATE TABLE tallies (
  conversation INTEGER PRIMARY KEY,
  clear BLOB NOT NULL,
  metadata BLOB,
  content BLOB
) STRICT;
CREATE TABLE tally_days (
  conversation INTEGER NOT NULL,
  day INTEGER NOT NULL,
  clear BLOB,
  metadata BLOB,
  content BLOB,
  PRIMARY KEY (conversation, day)
) STRICT, WITHOUT ROWID;
)sql";
// Statements of which every write of version 8 or 9 runs one. Our own connections run no triggers.
constexpr const char* kGate = R"sql(
CREATE TRIGGER upgraded_names BEFORE INSERT ON name_runs
  BEGIN SELECT RAISE(ABORT, 'restart: the store was upgraded'); END;
CREATE TRIGGER upgraded_sources BEFORE UPDATE OF revision ON sources
  BEGIN SELECT RAISE(ABORT, 'restart: the store was upgraded'); END;
CREATE TRIGGER upgraded_index BEFORE UPDATE ON search_state
  BEGIN SELECT RAISE(ABORT, 'restart: the store was upgraded'); END;
CREATE TRIGGER upgraded_wipes BEFORE DELETE ON wipes
  BEGIN SELECT RAISE(ABORT, 'restart: the store was upgraded'); END;
CREATE TRIGGER upgraded_sums BEFORE INSERT ON table_sums
  BEGIN SELECT RAISE(ABORT, 'restart: the store was upgraded'); END;
)sql";
// The sums of the new tables; the others stay as they are. The gate is closed last.
Status sum_up_late_tables(const PlainDatabase& database) {
  for (const std::string_view table : {"late_tables", "catalogue", "tallies", "tally_days"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return database.script(kGate);
}

// Version 11: the late table of model requests (request_table.hpp).
constexpr const char* kVersion11 = R"sql(
INSERT INTO late_tables SELECT 'requests', 1, EXISTS (SELECT 1 FROM conversations);
CREATE TABLE requests (
  conversation INTEGER PRIMARY KEY,
  pages INTEGER NOT NULL,
  unopened INTEGER NOT NULL,
  clear BLOB,
  metadata BLOB,
  content BLOB
) STRICT;
CREATE TABLE request_pages (
  conversation INTEGER NOT NULL,
  page INTEGER NOT NULL,
  clear BLOB,
  metadata BLOB,
  content BLOB,
  PRIMARY KEY (conversation, page)
) STRICT, WITHOUT ROWID;
)sql";
Status sum_up_requests(const PlainDatabase& database) {
  for (const std::string_view table : {"late_tables", "requests", "request_pages"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return {};
}

// Version 12: outlines of conversations, in pages (outline_table.hpp); filled afterwards.
constexpr const char* kVersion12 = R"sql(
INSERT INTO late_tables SELECT 'outlines', 1, EXISTS (SELECT 1 FROM conversations);
CREATE TABLE outlines (
  conversation INTEGER PRIMARY KEY,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  clear BLOB,
  metadata BLOB,
  content BLOB
) STRICT;
CREATE TABLE outline_pages (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  first INTEGER NOT NULL,
  clear BLOB NOT NULL,
  metadata BLOB,
  content BLOB,
  UNIQUE (conversation, first)
) STRICT;
)sql";
Status sum_up_outlines(const PlainDatabase& database) {
  for (const std::string_view table : {"late_tables", "outlines", "outline_pages"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return {};
}

// Version 13: rows of the catalogue are packed, and name their conversations (catalogue_table.hpp).
// They are computed again, like those of a new table.
constexpr const char* kVersion13 = R"sql(
DELETE FROM catalogue;
UPDATE late_tables SET version = 2, behind = EXISTS (SELECT 1 FROM conversations)
  WHERE name = 'catalogue';
)sql";
Status sum_up_catalogue(const PlainDatabase& database) {
  for (const std::string_view table : {"late_tables", "catalogue"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return {};
}

// Version 14: the index of edits (edit_table.hpp); filled afterwards.
constexpr const char* kVersion14 = R"sql(
INSERT INTO late_tables SELECT 'edits', 1, EXISTS (SELECT 1 FROM conversations);
CREATE TABLE edits (
  conversation INTEGER PRIMARY KEY,
  pages INTEGER NOT NULL,
  clear BLOB,
  content BLOB
) STRICT;
CREATE TABLE edit_pages (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  page INTEGER NOT NULL,
  clear BLOB,
  content BLOB,
  UNIQUE (conversation, page)
) STRICT;
CREATE TABLE edit_names (
  conversation INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  name INTEGER NOT NULL,
  PRIMARY KEY (conversation, kind, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX edit_names_name ON edit_names (kind, name);
)sql";
Status sum_up_edits(const PlainDatabase& database) {
  for (const std::string_view table : {"late_tables", "edits", "edit_pages", "edit_names"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return {};
}

// Version 15: where secrets stand (secret_table.hpp); filled afterwards.
constexpr const char* kVersion15 = R"sql(
INSERT INTO late_tables SELECT 'secrets', 1, EXISTS (SELECT 1 FROM conversations);
CREATE TABLE secrets (
  conversation INTEGER PRIMARY KEY,
  pages INTEGER NOT NULL,
  unopened INTEGER NOT NULL,
  clear BLOB,
  metadata BLOB,
  content BLOB
) STRICT;
CREATE TABLE secret_pages (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  page INTEGER NOT NULL,
  clear BLOB,
  metadata BLOB,
  content BLOB,
  UNIQUE (conversation, page)
) STRICT;
)sql";
Status sum_up_secrets(const PlainDatabase& database) {
  for (const std::string_view table : {"late_tables", "secrets", "secret_pages"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return {};
}

// Version 16: sums beside the requests (request_table.hpp), which are computed again with them.
constexpr const char* kVersion16 = R"sql(
DELETE FROM requests;
UPDATE late_tables SET version = 2, behind = EXISTS (SELECT 1 FROM conversations)
  WHERE name = 'requests';
CREATE TABLE request_sums (
  conversation INTEGER NOT NULL,
  page INTEGER NOT NULL,
  unopened INTEGER NOT NULL,
  clear BLOB,
  metadata BLOB,
  content BLOB,
  PRIMARY KEY (conversation, page)
) STRICT, WITHOUT ROWID;
)sql";
Status sum_up_sums_of_requests(const PlainDatabase& database) {
  for (const std::string_view table : {"late_tables", "requests", "request_sums"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return {};
}

// Version 17: the search index is runs of pages; what FTS5 has is carried over afterwards
// (fts5/carry_over.hpp).
constexpr const char* kVersion17 = R"sql(
CREATE TABLE index_runs (
  run INTEGER PRIMARY KEY,
  part INTEGER NOT NULL,
  level INTEGER NOT NULL,
  first INTEGER NOT NULL,
  documents INTEGER NOT NULL
) STRICT;
CREATE INDEX index_runs_in_order ON index_runs (part, first, level DESC);
CREATE TABLE index_pages (
  run INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  key BLOB NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (run, kind, key)
) STRICT;
)sql";
Status begin_runs(const PlainDatabase& database) {
  WEFT_TRY(begin_carry_over(database));
  for (const std::string_view table : {"index_runs", "index_pages"}) {
    WEFT_TRY(store_sum(database, table));
  }
  return {};
}

}  // namespace

std::span<const Migration> late_migrations() {
  static constexpr std::array kMigrations = {Migration{kVersion10, sum_up_late_tables},
                                             Migration{kVersion11, sum_up_requests},
                                             Migration{kVersion12, sum_up_outlines},
                                             Migration{kVersion13, sum_up_catalogue},
                                             Migration{kVersion14, sum_up_edits},
                                             Migration{kVersion15, sum_up_secrets},
                                             Migration{kVersion16, sum_up_sums_of_requests},
                                             Migration{kVersion17, begin_runs}};
  return kMigrations;
}

}  // namespace weft::store::sql
