// The speed of an outline, and of blocks by ordinal, in a conversation of 100,000 blocks and in one
// of a tenth, in both seal modes: against a bare read of the same rows by SQLite, and against
// getting the same blocks by their CIDs. Of the program, processor time.
//
//   bench_outline [BLOCKS]
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "long_talk.hpp"
#include "measure.hpp"
#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/query/questions.hpp"
#include "weft/store/open.hpp"

namespace weft::bench {
namespace {

constexpr int kTimes = 7;

template <class Work>
double best_of(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < kTimes; ++i) {
    const Stopwatch stopwatch;
    work();
    best = std::min(best, stopwatch.seconds());
  }
  return best;
}

// Reads rows by SQLite alone, touches the bytes of each column, and does nothing with them.
void read_bare(const std::filesystem::path& path, const char* sql) {
  sqlite3* database = nullptr;
  sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  sqlite3_stmt* rows = nullptr;
  sqlite3_prepare_v2(database, sql, -1, &rows, nullptr);
  while (sqlite3_step(rows) == SQLITE_ROW) {
    for (int column = 0; column < sqlite3_column_count(rows); ++column) {
      benchmark::DoNotOptimize(sqlite3_column_blob(rows, column));
    }
  }
  sqlite3_finalize(rows);
  sqlite3_close(database);
}

// The processor time of the program, process start included.
double program_time(const std::vector<std::string>& arguments) {
  double best = 1e9;
  for (int i = 0; i < kTimes; ++i) best = std::min(best, run_weft(arguments).cpu_seconds);
  return best;
}

// Times of one conversation, in seconds.
struct Times {
  double outline = 0, blocks = 0;
};

void report_line(const std::string& what, double seconds, double floor, const char* of) {
  std::printf("%-34s %8.2f ms  %6.2f x %s\n", what.c_str(), seconds * 1000, seconds / floor, of);
}
void report_program(const char* what, double seconds, double start, double limit_ms) {
  std::printf("%-34s %8.2f ms  %6.2f x weft --version (limit %.0f ms)%s\n", what, seconds * 1000,
              seconds / start, limit_ms, seconds * 1000 > limit_ms ? "  OVER" : "");
}

Times measure(std::uint64_t blocks, const std::string& seal) {
  const TempDir dir;
  const std::filesystem::path talk = dir.path / "talk.txt", path = dir.path / "home" / "weft.db";
  LongTalk().write(talk, blocks);
  ::setenv("WEFT_HOME", (dir.path / "home").c_str(), 1);
  run_weft({"init", "--seal", seal});
  run_weft({"ingest", talk.string()});
  std::ostringstream keys;
  keys << std::ifstream(dir.path / "home" / "keyring.json").rdbuf();
  const crypto::Keyring keyring = crypto::Keyring::parse(keys.str(), {}).value();
  const auto store = store::open_store_to_read(path).value();
  const store::ConversationRow row = store->conversations({}).value().front();
  std::printf("\n%llu blocks, seal mode %s\n", static_cast<unsigned long long>(row.block_count),
              seal.c_str());

  Times times;
  times.outline = best_of([&] {
    const query::PinnedLibrary library(*store, &keyring);
    (void)query::outline(library, row, {});
  });
  report_line("outline", times.outline, best_of([&] {
                read_bare(path, "SELECT clear, metadata, content FROM outline_pages");
              }),
              "a bare read of its pages");
  report_line("", times.outline,
              best_of([&] { read_bare(path, "SELECT created_at, because, body FROM thoughts"); }),
              "a bare read of the thoughts");
  const query::BlocksOptions page{.from = row.block_count / 2, .limit = 50};
  std::vector<Cid> shown;
  times.blocks = best_of([&] {
    const query::PinnedLibrary library(*store, &keyring);
    const auto answer = query::blocks(library, row, page).value();
    shown.clear();
    for (const json::value& block : answer.at("blocks").as_array()) {
      shown.push_back(Cid::parse(view(block.at("cid").as_string())).value());
    }
  });
  report_line("50 blocks from the middle", times.blocks, best_of([&] {
                const query::PinnedLibrary library(*store, &keyring);
                for (const Cid& cid : shown) (void)library->web.get(cid);
              }),
              "getting these 50 by CID");

  const double start = program_time({"--version"});
  const std::string name = row.cid.str();
  report_program("weft walk --outline --json", program_time({"walk", name, "--outline", "--json"}),
                 start, 150);
  report_program("weft walk --from N --json",
                 program_time({"walk", name, "--from", std::to_string(page.from), "--json"}), start,
                 10);
  return times;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;  // NOLINT(google-build-using-namespace): a program, not a header
  const std::uint64_t blocks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  for (const char* seal : {"thinking", "all"}) {
    const Times tenth = measure(blocks / 10, seal), whole = measure(blocks, seal);
    std::printf("ten times the blocks: outline %.1f x, 50 blocks %.1f x\n",
                whole.outline / tenth.outline, whole.blocks / tenth.blocks);
  }
}
