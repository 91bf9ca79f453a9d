// The speed of an outline, and of blocks by ordinal, in a conversation of 100,000 blocks, in both
// seal modes, against a bare read of the same rows by SQLite.
//
//   bench_outline [BLOCKS]
#include <sqlite3.h>

#include <algorithm>
#include <fstream>

#include "corpus.hpp"
#include "measure.hpp"
#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/query/questions.hpp"
#include "weft/store/open.hpp"

namespace weft::bench {
namespace {

constexpr int kTimes = 7;

// A conversation of many short blocks: prompts, reasoning, calls, results, answers.
class LongTalk : private TalkWords {
 public:
  LongTalk() : TalkWords(7) {}

  void write(const std::filesystem::path& path, std::uint64_t blocks) {
    std::ofstream out(path, std::ios::binary);
    out << "Title: A long talk\nModel: claude-opus-4-5\n\n";
    for (std::uint64_t written = 0; written < blocks; written += kInRound) {
      out << section("Human", {said("text", "text", prose(80))});
      const std::string id = "toolu_" + std::to_string(written);
      json::object call = timed("tool_use");
      call["id"] = id;
      call["name"] = written % 3 == 0 ? "bash" : "edit";
      call["input"] = json::object{{"command", prose(60)}};
      json::object result{{"type", "tool_result"},
                          {"tool_use_id", id},
                          {"name", call["name"]},
                          {"is_error", written % 7 == 0}};
      result["content"] = json::array{json::object{{"type", "text"}, {"text", lines(3)}}};
      json::object thinking = said("thinking", "thinking", prose(200));
      thinking["summaries"] = json::array();
      thinking["cut_off"] = false;
      out << section("Assistant", {std::move(thinking), std::move(call), std::move(result),
                                   said("text", "text", prose(150))});
    }
  }

 private:
  static constexpr std::uint64_t kInRound = 5;
};

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

// Every row of the thoughts, its columns touched and nothing done with them.
std::int64_t read_bare(sqlite3* database) {
  sqlite3_stmt* rows = nullptr;
  sqlite3_prepare_v2(database, "SELECT type, created_at, because, body FROM thoughts", -1, &rows,
                     nullptr);
  std::int64_t sum = 0;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    sum += sqlite3_column_int64(rows, 1) + sqlite3_column_bytes(rows, 2) +
           sqlite3_column_bytes(rows, 3);
  }
  sqlite3_finalize(rows);
  return sum;
}

void report_ms(const char* what, double seconds, double floor, double limit_ms) {
  std::printf("%-46s %8.1f ms  %6.2f x a bare read (limit %.0f ms)%s\n", what, seconds * 1000,
              seconds / floor, limit_ms, seconds * 1000 > limit_ms ? "  OVER" : "");
}

void measure(const std::filesystem::path& talk, crypto::SealMode seal, const char* name) {
  const TempDir dir;
  const crypto::Keyring keyring = *crypto::Keyring::create("Ada", 1'000, seal);
  const auto store = *store::open_store(dir.path / "weft.db", store::Create::yes);
  ingest::Options options{.paths = {talk}};
  const auto ingested = ingest::ingest(*store, keyring, options);
  const store::ConversationRow row = store->conversations({}).value().front();
  std::printf("\nseal mode %s: %llu blocks\n", name,
              static_cast<unsigned long long>(row.block_count));

  sqlite3* database = nullptr;
  sqlite3_open_v2((dir.path / "weft.db").c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  const double bare = best_of([&] { read_bare(database); });
  std::printf("%-46s %8.1f ms\n", "bare read of the rows", bare * 1000);
  const double places = best_of([&] {
    const query::PinnedLibrary library(*store, &keyring);
    (void)library->web.outline(row.cid);
  });
  std::printf("%-46s %8.1f ms\n", "reading order alone", places * 1000);
  const double outline = best_of([&] {
    const query::PinnedLibrary library(*store, &keyring);
    (void)query::outline(library, row, {});
  });
  report_ms("outline", outline, bare, 150);
  const double blocks = best_of([&] {
    const query::PinnedLibrary library(*store, &keyring);
    (void)query::blocks(library, row, {.from = row.block_count / 2, .limit = 50});
  });
  report_ms("50 blocks from the middle", blocks, bare, 10);
  sqlite3_close(database);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;  // NOLINT(google-build-using-namespace): a program, not a header
  const std::uint64_t blocks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const TempDir dir;
  LongTalk().write(dir.path / "talk.txt", blocks);
  measure(dir.path / "talk.txt", weft::crypto::SealMode::thinking, "thinking");
  measure(dir.path / "talk.txt", weft::crypto::SealMode::all, "all");
}
