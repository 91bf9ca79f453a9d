// What leads from each version of the store to the next, up to version 9; late_migrations.cpp has
// the later ones. A step that was released is never edited.
#include <vector>

#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/sqlite/edges/paged_edges.hpp"
#include "weft/store/sqlite/fts5/fts5.hpp"
#include "weft/store/sqlite/late/late_migrations.hpp"
#include "weft/store/sqlite/names/run_index.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft::store::sql {
namespace {

constexpr const char* kVersion1 = R"sql(
CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  cid BLOB NOT NULL
) STRICT;
CREATE TABLE name_index (
  hash INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (hash, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE name_recent (
  hash INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (hash, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE words (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT;

-- Large columns last: what is read of a row without them stays on one page.
CREATE TABLE thoughts (
  id INTEGER PRIMARY KEY,
  type INTEGER NOT NULL,
  created_by INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  source INTEGER,
  because BLOB,
  signature BLOB NOT NULL,
  metadata BLOB,
  content BLOB,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE effects (
  cause INTEGER NOT NULL,
  thought INTEGER NOT NULL,
  PRIMARY KEY (cause, thought)
) STRICT, WITHOUT ROWID;
CREATE TABLE connections (
  id INTEGER PRIMARY KEY,
  relation INTEGER NOT NULL,
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  label INTEGER,
  position INTEGER,
  created_by INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  signature BLOB NOT NULL
) STRICT;
CREATE INDEX connections_from ON connections (from_id, relation, position);
CREATE INDEX connections_to ON connections (to_id, relation, position);

CREATE TABLE conversations (
  id INTEGER PRIMARY KEY,
  format TEXT NOT NULL,
  session_id TEXT NOT NULL,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  facts INTEGER,
  checkpoint INTEGER,
  turns INTEGER NOT NULL DEFAULT 0,
  blocks INTEGER NOT NULL DEFAULT 0,
  thoughts INTEGER NOT NULL DEFAULT 0,
  touched INTEGER NOT NULL,
  adopted INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_heading ON conversations (session_id, format, source);
CREATE INDEX conversations_touched ON conversations (touched);
CREATE TABLE runs (
  first INTEGER PRIMARY KEY,
  last INTEGER NOT NULL,
  conversation INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_conversation ON runs (conversation, first);
CREATE TABLE shares (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  thought INTEGER NOT NULL,
  before INTEGER NOT NULL,
  UNIQUE (conversation, thought)
) STRICT;
CREATE INDEX shares_thought ON shares (thought);
CREATE TABLE places (
  conversation INTEGER NOT NULL,
  key BLOB NOT NULL,
  thought INTEGER NOT NULL,
  PRIMARY KEY (conversation, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoints (
  seq INTEGER PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE,
  conversation INTEGER NOT NULL,
  leaves BLOB
) STRICT;
CREATE INDEX checkpoints_conversation ON checkpoints (conversation, seq);
)sql";

constexpr const char* kVersion2 = R"sql(
CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  revision INTEGER NOT NULL,
  format TEXT NOT NULL,
  about BLOB NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  size INTEGER NOT NULL,
  woven INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  print BLOB NOT NULL,
  generation INTEGER NOT NULL,
  adapter_version INTEGER NOT NULL,
  weave_version INTEGER NOT NULL,
  ingested_at INTEGER NOT NULL,
  state BLOB NOT NULL
) STRICT;
CREATE INDEX sources_file ON sources (inode, device);
CREATE TABLE source_conversations (
  source INTEGER NOT NULL,
  conversation INTEGER NOT NULL,
  PRIMARY KEY (source, conversation)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_conversations_conversation ON source_conversations (conversation);
CREATE TABLE archive (
  id INTEGER PRIMARY KEY,
  source INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  size INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  UNIQUE (source, generation, seq)
) STRICT;
CREATE TABLE marks (
  key BLOB PRIMARY KEY,
  call INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX marks_call ON marks (call);
CREATE TABLE waits (
  key BLOB NOT NULL,
  conversation INTEGER NOT NULL,
  PRIMARY KEY (key, conversation)
) STRICT, WITHOUT ROWID;
CREATE INDEX waits_conversation ON waits (conversation);
CREATE TABLE forgotten (
  key BLOB PRIMARY KEY,
  tombstone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* kVersion3 = R"sql(
CREATE TABLE tombstones (
  cid BLOB NOT NULL,
  tombstone INTEGER NOT NULL,
  PRIMARY KEY (cid, tombstone)
) STRICT, WITHOUT ROWID;
CREATE TABLE wipes (
  tombstone INTEGER PRIMARY KEY
) STRICT;
)sql";

// Smaller, all of it made again from what stays: an edge's other columns are in its row, and
// 4 bytes of a CID find it as well as 8.
constexpr const char* kVersion4 = R"sql(
DROP INDEX connections_from;
DROP INDEX connections_to;
CREATE INDEX connections_from ON connections (from_id);
CREATE INDEX connections_to ON connections (to_id);
CREATE TABLE name_index_4 (
  hash INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (hash, id)
) STRICT, WITHOUT ROWID;
INSERT INTO name_index_4 (hash, id) SELECT hash >> 32, id FROM name_index ORDER BY hash >> 32, id;
DROP TABLE name_index;
ALTER TABLE name_index_4 RENAME TO name_index;
UPDATE name_recent SET hash = hash >> 32;
)sql";

constexpr const char* kVersion5 = R"sql(
CREATE TABLE name_runs (
  run INTEGER PRIMARY KEY,
  names INTEGER NOT NULL
) STRICT;
CREATE TABLE name_pages (
  id INTEGER PRIMARY KEY,
  names BLOB NOT NULL
) STRICT;
)sql";
// Names lie in sorted runs (name_index.hpp), no longer in trees.
Status pack_names_of_version_4(const PlainDatabase& database) {
  WEFT_TRY(gather_names(database));
  return database.script("DROP TABLE name_index; DROP TABLE name_recent");
}

// Version 6: what can be found (fts5/fts5.hpp, document_table.hpp). Thoughts that are here
// already are indexed by `weft reindex`, for a migration has no keys.
constexpr const char* kVersion6 = R"sql(
CREATE TABLE search_state (
  epoch INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  behind INTEGER NOT NULL
) STRICT;
INSERT INTO search_state SELECT 0, 0, EXISTS (SELECT 1 FROM thoughts);
CREATE TABLE search_keys (
  part INTEGER NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (part, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE search_documents (
  page INTEGER PRIMARY KEY,
  documents BLOB NOT NULL
) STRICT;
)sql";

// Version 7: pieces of the archive may lean on thoughts.
constexpr const char* kVersion7 = R"sql(
ALTER TABLE archive ADD COLUMN leans_on BLOB;
)sql";

// Version 8: connections lie in pages (edges.hpp).
constexpr const char* kVersion8 = R"sql(
CREATE TABLE edge_pages (
  first INTEGER PRIMARY KEY,
  edges BLOB NOT NULL
) STRICT;
CREATE TABLE edge_ends (
  end INTEGER NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY (end, page)
) STRICT, WITHOUT ROWID;
)sql";
Status pack_connections_of_version_7(const PlainDatabase& database) {
  constexpr std::size_t kAtOnce = 4096;
  PagedEdges pages(sqlite::handle_of(database));
  std::vector<Edge> edges;
  {
    Rows rows = database.query("SELECT * FROM connections ORDER BY id");
    while (rows.next()) {
      edges.push_back(to_edge(rows));
      if (edges.size() < kAtOnce) continue;
      WEFT_TRY(pages.add(edges));
      edges.clear();
    }
    WEFT_TRY(rows.status());
  }
  WEFT_TRY(pages.add(edges));
  return database.script("DROP TABLE connections");
}

// Version 9: the sums of all tables (table_sums.hpp). A new store has them at once; in one that
// holds something, commits fill them in one by one, so that no migration reads the whole store.
constexpr const char* kVersion9 = R"sql(
CREATE TABLE table_sums (
  name TEXT PRIMARY KEY,
  rows INTEGER NOT NULL,
  sum BLOB NOT NULL
) STRICT, WITHOUT ROWID;
)sql";
Status sum_up_an_empty_store(const PlainDatabase& database) {
  Rows rows = database.query("SELECT EXISTS (SELECT 1 FROM names)");
  const bool is_used = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return is_used ? Status() : store_all_sums(database);
}

}  // namespace

std::span<const Migration> migrations() {
  static const std::vector<Migration> all = [] {
    std::vector<Migration> steps = {{kVersion1},
                                    {kVersion2},
                                    {kVersion3},
                                    {kVersion4},
                                    {kVersion5, pack_names_of_version_4},
                                    {kVersion6, create_fts5},
                                    {kVersion7},
                                    {kVersion8, pack_connections_of_version_7},
                                    {kVersion9, sum_up_an_empty_store}};
    const std::span<const Migration> late = late_migrations();
    steps.insert(steps.end(), late.begin(), late.end());
    return steps;
  }();
  return all;
}

}  // namespace weft::store::sql
