// What cannot be left out of an ingest: reading, parsing, hashing and signing each block, and
// inserting the same bytes into SQLite, one after the other on one core.
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
  double read = 0, parse = 0, hash = 0, sign = 0, insert = 0;
  std::size_t blocks = 0;
  double sum() const { return read + parse + hash + sign + insert; }
};

class PlainTable {
 public:
  explicit PlainTable(const std::filesystem::path& path) {
    sqlite3_open(path.c_str(), &db_);
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
        "CREATE TABLE blocks(id INTEGER PRIMARY KEY, cid BLOB, signature BLOB, body BLOB); BEGIN");
    sqlite3_prepare_v2(db_, "INSERT INTO blocks(cid, signature, body) VALUES(?,?,?)", -1, &insert_,
                       nullptr);
  }
  ~PlainTable() {
    run("COMMIT");
    sqlite3_finalize(insert_);
    sqlite3_close(db_);
  }
  PlainTable(const PlainTable&) = delete;
  PlainTable& operator=(const PlainTable&) = delete;

  void insert(const Digest& cid, const crypto::SignatureBytes& signature, const std::string& body) {
    sqlite3_bind_blob(insert_, 1, cid.data(), static_cast<int>(cid.size()), SQLITE_STATIC);
    sqlite3_bind_blob(insert_, 2, signature.data(), static_cast<int>(signature.size()),
                      SQLITE_STATIC);
    sqlite3_bind_blob(insert_, 3, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
    sqlite3_step(insert_);
    sqlite3_reset(insert_);
    bytes_ += body.size();
    if (bytes_ > (8u << 20)) {
      run("COMMIT; BEGIN");
      bytes_ = 0;
    }
  }

 private:
  void run(const char* sql) { sqlite3_exec(db_, sql, nullptr, nullptr, nullptr); }
  sqlite3* db_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::size_t bytes_ = 0;
};

// Tells the JSON of each block of a file, and how long parsing took.
using BlocksOf = std::function<std::vector<std::string>(const std::string& bytes, double& parse)>;

// Each part does its work on the same bytes, and nothing else.
inline Floor measure_floor(const std::vector<std::filesystem::path>& files,
                           const std::filesystem::path& dir, const BlocksOf& blocks_of) {
  Floor floor;
  const crypto::SigningKey key{crypto::Key::random()};
  PlainTable table(dir / "floor.db");
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
    floor.blocks += blocks.size();
  }
  return floor;
}

}  // namespace weft::bench
