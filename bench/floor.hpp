// The floor of an ingest: the work that none can leave out. Reads, parses, hashes and signs each
// block, inserts the same bytes into SQLite and indexes them with FTS5, one step after the other on
// one core.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "measure.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/crypto/ed25519.hpp"

namespace weft::bench {

struct Floor {
  double read = 0, parse = 0, hash = 0, sign = 0, insert = 0, index = 0;
  std::size_t blocks = 0;
  double sum() const { return read + parse + hash + sign + insert + index; }
  void print() const {
    std::printf(
        "floor: read %.2f + parse %.2f + hash %.2f + sign %.2f + insert %.2f + index %.2f = %.2f "
        "s\n",
        read, parse, hash, sign, insert, index, sum());
  }
};

// One statement that inserts, committed every eight megabytes.
class Inserting {
 public:
  Inserting(const std::filesystem::path& path, const char* make, const char* insert) {
    sqlite3_open(path.c_str(), &db_);
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
    run(make);
    run("BEGIN");
    sqlite3_prepare_v2(db_, insert, -1, &insert_, nullptr);
  }
  ~Inserting() {
    run("COMMIT");
    sqlite3_finalize(insert_);
    sqlite3_close(db_);
  }
  Inserting(const Inserting&) = delete;
  Inserting& operator=(const Inserting&) = delete;

 protected:
  sqlite3_stmt* statement() { return insert_; }
  // What is bound goes in.
  void insert(std::size_t bytes) {
    sqlite3_step(insert_);
    sqlite3_reset(insert_);
    bytes_ += bytes;
    if (bytes_ <= (8u << 20)) return;
    run("COMMIT; BEGIN");
    bytes_ = 0;
  }

 private:
  void run(const char* sql) { sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }
  sqlite3* db_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::size_t bytes_ = 0;
};

class PlainTable : public Inserting {
 public:
  explicit PlainTable(const std::filesystem::path& path)
      : Inserting(
            path,
            "CREATE TABLE blocks(id INTEGER PRIMARY KEY, cid BLOB, signature BLOB, body BLOB)",
            "INSERT INTO blocks(cid, signature, body) VALUES(?,?,?)") {}

  void insert(const Digest& cid, const crypto::SignatureBytes& signature, const std::string& body) {
    sqlite3_bind_blob(statement(), 1, cid.data(), static_cast<int>(cid.size()), SQLITE_STATIC);
    sqlite3_bind_blob(statement(), 2, signature.data(), static_cast<int>(signature.size()),
                      SQLITE_STATIC);
    sqlite3_bind_blob(statement(), 3, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
    Inserting::insert(body.size());
  }
};

// An index as FTS5 makes it by itself.
class PlainIndex : public Inserting {
 public:
  explicit PlainIndex(const std::filesystem::path& path)
      : Inserting(path, "CREATE VIRTUAL TABLE words USING fts5(text, content='')",
                  "INSERT INTO words(rowid, text) VALUES(?,?)") {}

  void insert(const std::string& text) {
    sqlite3_bind_int64(statement(), 1, ++rows_);
    sqlite3_bind_text(statement(), 2, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    Inserting::insert(text.size());
  }

 private:
  std::int64_t rows_ = 0;
};

// Tells the JSON of each block of a file, and how long parsing took.
using BlocksOf = std::function<std::vector<std::string>(const std::string& bytes, double& parse)>;

// Each part does its work on the same bytes, and nothing else.
inline Floor measure_floor(const std::vector<std::filesystem::path>& files,
                           const std::filesystem::path& dir, const BlocksOf& blocks_of) {
  Floor floor;
  const crypto::SigningKey key{crypto::Key::random()};
  PlainTable table(dir / "floor.db");
  PlainIndex index(dir / "floor-index.db");
  for (const auto& path : files) {
    Stopwatch reading;
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string bytes = std::move(text).str();
    floor.read += reading.seconds();
    const std::vector<std::string> blocks = blocks_of(bytes, floor.parse);
    std::vector<Digest> cids;
    Stopwatch hashing;
    for (const std::string& block : blocks) cids.push_back(crypto::blake3(block));
    floor.hash += hashing.seconds();
    std::vector<crypto::SignatureBytes> signatures;
    Stopwatch signing;
    for (const Digest& cid : cids) signatures.push_back(key.sign(crypto::bytes_of(cid)));
    floor.sign += signing.seconds();
    Stopwatch inserting;
    for (std::size_t i = 0; i < blocks.size(); ++i) table.insert(cids[i], signatures[i], blocks[i]);
    floor.insert += inserting.seconds();
    Stopwatch indexing;
    for (const std::string& block : blocks) index.insert(block);
    floor.index += indexing.seconds();
    floor.blocks += blocks.size();
  }
  return floor;
}

}  // namespace weft::bench
