// Cold ingest of a generated corpus, signing and sealing included, against the floor
// measured in the same run: reading, parsing, hashing and signing each block, and
// inserting the same bytes into SQLite, one after the other on one core.
//
//   bench_ingest [MB]      100 by default; then ten times as much, if it is named: 100 1000
#include <sqlite3.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "corpus.hpp"
#include "measure.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/crypto/ed25519.hpp"
#include "weft/formats/framing.hpp"

namespace weft::bench {
namespace {

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

// Each part does its work on the same bytes, and nothing else.
Floor measure_floor(const std::vector<std::filesystem::path>& files,
                    const std::filesystem::path& dir) {
  Floor floor;
  const crypto::SigningKey key{crypto::Key::random()};
  PlainTable table(dir / "floor.db");
  for (const auto& path : files) {
    Stopwatch reading;
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string bytes = std::move(text).str();
    floor.read += reading.seconds();

    std::vector<std::string> blocks;
    const auto on_section = [&](const formats::Record& record) {
      const std::size_t array = record.text.find('[');
      if (array == std::string_view::npos) return;
      Stopwatch parsing;
      Result<ParsedJson> parsed = parse_json(record.text.substr(array));
      floor.parse += parsing.seconds();
      if (!parsed) return;
      for (const json::value& block : parsed->value.get_array())
        blocks.push_back(canonical_json(block));
    };
    const auto framer = formats::section_framer();
    framer->push(bytes, on_section, [](std::uint64_t, std::uint64_t) {});
    framer->end(on_section, [](std::uint64_t, std::uint64_t) {});

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

double measure(std::uint64_t megabytes) {
  const TempDir dir;
  const auto files = Corpus(42).write(dir.path, megabytes << 20);
  const Floor floor = measure_floor(files, dir.path);
  std::printf("%lu MB in %zu transcripts, %zu blocks\n", megabytes, files.size(), floor.blocks);
  std::printf("floor: read %.2f + parse %.2f + hash %.2f + sign %.2f + insert %.2f = %.2f s\n",
              floor.read, floor.parse, floor.hash, floor.sign, floor.insert, floor.sum());
  std::vector<std::string> arguments{"ingest", "--json", "--home", dir.path / "home"};
  for (const auto& file : files) arguments.push_back(file);
  const Ran cold = run_weft(arguments);
  report("cold ingest", cold.seconds, floor.sum(), 2.0);
  const Ran again = run_weft(arguments);
  std::printf("%-46s %8.2f s  %5.2f of the first\n", "the same again", again.seconds,
              again.seconds / cold.seconds);
  const double size =
      static_cast<double>(std::filesystem::file_size(dir.path / "home" / "weft.db")) / (1 << 20);
  std::printf("%-46s %8.1f MB %5.2f of the files\n", "store", size,
              size / static_cast<double>(megabytes));
  std::printf("%-46s %8.1f MB (limit 300)%s, exit %d\n", "peak memory", cold.peak_mb,
              cold.peak_mb > 300 ? "  OVER" : "", cold.exit);
  return cold.seconds / static_cast<double>(megabytes);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  double first = 0;
  for (int i = 1; i < argc || i == 1; ++i) {
    const auto megabytes = argc > 1 ? std::strtoull(argv[i], nullptr, 10) : 100;
    const double rate = weft::bench::measure(megabytes);
    if (first == 0) first = rate;
    if (i > 1)
      std::printf("%-46s %5.2f times the time a megabyte (limit 1.1)\n", "growth", rate / first);
  }
}
