#include "weft/store/sqlite/schema.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "weft/store/sqlite/edge_table.hpp"
#include "weft/store/sqlite/edges.hpp"
#include "weft/store/sqlite/index.hpp"
#include "weft/store/sqlite/leaves.hpp"
#include "weft/store/sqlite/name_index.hpp"

namespace weft::store::sqlite {
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
Status pack_names_of_version_4(const Database& database) {
  if (Status status = gather_names(database); !status) return status;
  return database.script("DROP TABLE name_index; DROP TABLE name_recent");
}

// Version 6: what can be found (index.hpp, documents.hpp). Thoughts that are here already are
// indexed by `weft reindex`, for a migration has no keys.
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
Status pack_connections_of_version_7(const Database& database) {
  constexpr std::size_t kAtOnce = 4096;
  Edges pages(database.handle());
  std::vector<Edge> edges;
  {
    Rows rows = database.query("SELECT * FROM connections ORDER BY id");
    while (rows.next()) {
      edges.push_back(to_edge(rows));
      if (edges.size() < kAtOnce) continue;
      if (Status status = pages.add(edges); !status) return status;
      edges.clear();
    }
    if (Status status = rows.status(); !status) return status;
  }
  if (Status status = pages.add(edges); !status) return status;
  return database.script("DROP TABLE connections");
}

constexpr std::array kMigrations = {Migration{kVersion1},
                                    Migration{kVersion2},
                                    Migration{kVersion3},
                                    Migration{kVersion4},
                                    Migration{kVersion5, pack_names_of_version_4},
                                    Migration{kVersion6, create_index},
                                    Migration{kVersion7},
                                    Migration{kVersion8, pack_connections_of_version_7}};

Error not_ours() { return {ErrorCode::corrupt, "this file is no store of weft"}; }

Result<bool> is_empty(const Database& database) {
  Rows rows = database.query("SELECT count(*) FROM sqlite_master");
  const bool empty = rows.next() && rows.integer(0) == 0;
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  return empty;
}

// What a file says of itself.
struct Stamp {
  std::int64_t application = 0, version = 0;
  bool empty = false;
};

Result<Stamp> read_stamp(const Database& database) {
  Result<std::int64_t> application = database.pragma("application_id");
  if (!application) return fail(std::move(application).error());
  Result<std::int64_t> version = database.pragma("user_version");
  if (!version) return fail(std::move(version).error());
  Result<bool> empty = is_empty(database);
  if (!empty) return fail(std::move(empty).error());
  return Stamp{*application, *version, *empty};
}

// The version of a file that may be opened by `known` steps; 0 for an empty one.
Result<std::int64_t> check_version(const Database& database, std::size_t known) {
  Result<Stamp> stamp = read_stamp(database);
  // Three looks are not one: another process may have made the store between them, all at
  // once. Then a second look sees all of it.
  const bool half_seen = stamp && stamp->application == 0 && !(stamp->version == 0 && stamp->empty);
  if (half_seen) stamp = read_stamp(database);
  if (!stamp) return fail(std::move(stamp).error());
  if (stamp->application == 0 && stamp->version == 0 && stamp->empty) return 0;
  if (stamp->application != kApplicationId || stamp->version < 1) return fail(not_ours());
  if (stamp->version > static_cast<std::int64_t>(known)) {
    return fail(ErrorCode::invalid_input,
                "the store has version " + std::to_string(stamp->version) +
                    " and this weft knows " + std::to_string(known) +
                    " at most: it was made by a newer weft; use that one");
  }
  return stamp->version;
}

Status migrate_step(const Database& database, const Migration& step, std::size_t to) {
  Status status = database.script(step.sql);
  if (status && step.then != nullptr) status = step.then(database);
  if (!status) {
    return fail(std::move(status).error().within("migrating to version " + std::to_string(to)));
  }
  return {};
}

// Turning an empty file to WAL takes a lock that SQLite does not wait for.
Status use_wal(const Database& database) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  for (;;) {
    Status status = database.script("PRAGMA journal_mode = WAL");
    if (status || status.error().code != ErrorCode::unavailable ||
        std::chrono::steady_clock::now() > deadline) {
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Makes the file if it is not there, for its owner's eyes only from the first byte on.
Status make_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) {
    ::close(file);
    return {};
  }
  if (errno == EISDIR) return {};  // check_file says it better
  return fail(errno == ENOENT ? ErrorCode::not_found : ErrorCode::denied,
              "making the store " + path + ": " + std::strerror(errno));
}

Status check_file(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    const ErrorCode code = errno == EACCES ? ErrorCode::denied : ErrorCode::not_found;
    return fail(code, "opening the store " + path + ": " + std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) return fail(not_ours().within("opening " + path));
  return {};
}

// Nothing temporary touches the disk: it could hold text. What is deleted is wiped where that
// costs no writing; forgetting wipes all of it.
// SQLite's cache is per connection; the writer's holds the hot ends of every index.
constexpr const char* kWriterSettings = R"sql(
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = FAST;
PRAGMA foreign_keys = OFF;
PRAGMA cache_size = -65536;
PRAGMA wal_autocheckpoint = 4096;
)sql";
constexpr const char* kReaderSettings = R"sql(
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -8192;
)sql";

// What SQLite does not know by itself.
Status install_tables(const Database& database) {
  Status status = install_index(database);
  if (status) status = install_edges(database.handle());
  return status;
}

Result<Database> prepare_store(const std::string& path, Create create) {
  Result<Database> database = Database::open(path, Mode::read_write);
  if (!database) return database;
  // Before anything is changed: a newer store and somebody else's file stay as they are.
  Result<std::int64_t> version = check_version(*database, migrations().size());
  if (!version) return fail(std::move(version).error());
  if (*version == 0) {
    if (create == Create::no) return fail(not_ours());
    if (Status status = database->script("PRAGMA page_size = 8192"); !status) {
      return fail(std::move(status).error());
    }
    if (Status status = use_wal(*database); !status) return fail(std::move(status).error());
  }
  if (Status status = database->script(kWriterSettings); !status) {
    return fail(std::move(status).error());
  }
  if (Status status = install_tables(*database); !status) return fail(std::move(status).error());
  if (Status status = migrate(*database, migrations()); !status) {
    return fail(std::move(status).error());
  }
  return database;
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

Status migrate(const Database& database, std::span<const Migration> steps) {
  Result<std::int64_t> seen = check_version(database, steps.size());
  if (!seen) return fail(std::move(seen).error());
  if (*seen == static_cast<std::int64_t>(steps.size())) return {};

  Result<Transaction> transaction = Transaction::begin(database, Transaction::Kind::immediate);
  if (!transaction) return fail(std::move(transaction).error());
  // Again: another process may have been here first.
  Result<std::int64_t> version = check_version(database, steps.size());
  if (!version) return fail(std::move(version).error());
  for (auto at = static_cast<std::size_t>(*version); at < steps.size(); ++at) {
    if (Status status = migrate_step(database, steps[at], at + 1); !status) return status;
  }
  const std::string stamp = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                            "; PRAGMA user_version = " + std::to_string(steps.size());
  if (Status status = database.script(stamp.c_str()); !status) return status;
  return transaction->commit();
}

Result<Database> open_store_file(const std::string& path, Create create) {
  if (create == Create::yes) {
    if (Status status = make_file(path); !status) return fail(std::move(status).error());
  }
  if (Status status = check_file(path); !status) return fail(std::move(status).error());
  Result<Database> database = prepare_store(path, create);
  if (!database) return fail(std::move(database).error().within("opening " + path));
  return database;
}

Result<Database> open_reader(const std::string& path) {
  Result<Database> database = Database::open(path, Mode::read_write);
  if (!database) return database;
  if (Status status = database->script(kReaderSettings); !status) {
    return fail(std::move(status).error());
  }
  if (Status status = install_tables(*database); !status) return fail(std::move(status).error());
  return database;
}

}  // namespace weft::store::sqlite
