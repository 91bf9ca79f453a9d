// The peer of bench_search: a contentless FTS5 table with FTS5's own tokenizer and rank, as one
// would use it without weft.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

class Peer {
 public:
  explicit Peer(const std::string& path) {
    sqlite3_open(path.c_str(), &database_);
    run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4096;"
        "CREATE VIRTUAL TABLE peer USING fts5(text, content='')");
    sqlite3_prepare_v2(database_, "INSERT INTO peer (rowid, text) VALUES (?, ?)", -1, &insert_,
                       nullptr);
    sqlite3_prepare_v2(database_,
                       "SELECT rowid, rank FROM peer WHERE peer MATCH ? ORDER BY rank LIMIT 20", -1,
                       &ask_, nullptr);
  }
  ~Peer() {
    sqlite3_finalize(insert_);
    sqlite3_finalize(ask_);
    sqlite3_close(database_);
  }
  void run(const char* sql) { sqlite3_exec(database_, sql, nullptr, nullptr, nullptr); }
  void insert(std::string_view text) {
    sqlite3_bind_int64(insert_, 1, ++rows_);
    sqlite3_bind_text(insert_, 2, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    sqlite3_step(insert_);
    sqlite3_reset(insert_);
  }
  int ask(const std::string& match) {
    sqlite3_bind_text(ask_, 1, match.data(), static_cast<int>(match.size()), SQLITE_STATIC);
    int found = 0;
    while (sqlite3_step(ask_) == SQLITE_ROW) ++found;
    sqlite3_reset(ask_);
    return found;
  }

 private:
  sqlite3* database_ = nullptr;
  sqlite3_stmt *insert_ = nullptr, *ask_ = nullptr;
  std::int64_t rows_ = 0;
};

}  // namespace
