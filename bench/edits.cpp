// The speed of the index of edits: all edits of one file, in a store with thousands of edits of it
// and in one with many conversations of which few edit it, in both seal modes. Against a bare read
// of the same rows by SQLite, and against reading the calls themselves. Prints the size of the
// index by edited line, too.
//
//   bench_edits [EDITS [CONVERSATIONS]]
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "measure.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/store/open.hpp"
#include "words.hpp"

namespace weft::bench {
namespace {

constexpr int kTimes = 7;
constexpr int kLines = 8;  // of an edit

// Sessions of Claude Code with calls of Edit.
class EditCorpus : private Words {
 public:
  EditCorpus() : Words(7, Law::common_and_rare) {}

  void write(const std::filesystem::path& path, const std::string& session,
             const std::vector<std::string>& files, int edits) {
    std::ofstream out(path, std::ios::binary);
    for (int i = 0; i < edits; ++i) {
      const std::string id = session + "-" + std::to_string(i);
      const std::string& file = files[static_cast<std::size_t>(i) % files.size()];
      out << line(session, id + "p", "user",
                  R"({"role":"user","content":"change )" + prose(40) + R"("})");
      out << line(session, id + "c", "assistant",
                  R"({"role":"assistant","id":"m)" + id +
                      R"(","content":[{"type":"tool_use","id":"t)" + id +
                      R"(","name":"Edit","input":{"file_path":")" + file + R"(","old_string":")" +
                      text() + R"(","new_string":")" + text() + R"("}}]})");
      out << line(session, id + "r", "user",
                  R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t)" + id +
                      R"(","content":"The file was updated."}]})");
    }
  }

 private:
  std::string text() {
    std::string all;
    for (int i = 0; i < kLines; ++i) all += prose(40) + "\\n";
    return all;
  }
  static std::string line(const std::string& session, const std::string& uuid,
                          const std::string& type, const std::string& message) {
    return R"({"type":")" + type + R"(","uuid":")" + uuid + R"(","sessionId":")" + session +
           R"(","timestamp":"2026-03-01T10:00:00.000Z","message":)" + message + "}\n";
  }
};

template <class Work>
double best_of(int times, const Work& work) {
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    const Stopwatch stopwatch;
    work();
    best = std::min(best, stopwatch.seconds());
  }
  return best;
}

// The first column of the first row; reads all rows and touches every column.
std::int64_t ask(const std::filesystem::path& path, const char* sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_stmt* rows = nullptr;
  sqlite3_prepare_v2(database, sql, -1, &rows, nullptr);
  std::int64_t first = -1;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    for (int column = 0; column < sqlite3_column_count(rows); ++column) {
      benchmark::DoNotOptimize(sqlite3_column_blob(rows, column));
    }
    if (first < 0) first = sqlite3_column_int64(rows, 0);
  }
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return first;
}

void measure(const std::filesystem::path& talks, const std::string& seal) {
  const TempDir dir;
  const std::filesystem::path path = dir.path / "home" / "weft.db";
  ::setenv("WEFT_HOME", (dir.path / "home").c_str(), 1);
  run_weft({"init", "--seal", seal});
  run_weft({"ingest", talks.string()});
  std::ostringstream keys;
  keys << std::ifstream(dir.path / "home" / "keyring.json").rdbuf();
  const crypto::Keyring keyring = crypto::Keyring::parse(keys.str(), {}).value();
  const auto store = store::open_store_to_read(path).value();
  const store::EditsRequest request{.file_name = "wanted.py", .keyring = &keyring};
  std::size_t found = 0;
  const double asked =
      best_of(kTimes, [&] { found = store->edits(request).value().entries.size(); });
  const double bare = best_of(kTimes, [&] {
    ask(path, "SELECT clear, content FROM edits");
    ask(path, "SELECT clear, content FROM edit_pages");
  });
  std::printf("%-9s %7zu edits of it of %6lld conversations  %8.2f ms  %6.2f x a bare read\n",
              seal.c_str(), found,
              static_cast<long long>(ask(path, "SELECT count(*) FROM conversations")), asked * 1000,
              asked / bare);
  const std::size_t all = store->edits({.keyring = &keyring}).value().entries.size();
  const auto bytes =
      ask(path,
          "SELECT (SELECT sum(coalesce(length(clear), 0) + coalesce(length(content), "
          "0)) FROM edits) + coalesce((SELECT sum(coalesce(length(clear), 0) + "
          "coalesce(length(content), 0)) FROM edit_pages), 0)");
  std::printf("%-9s %7.2f bytes a line, %.4f of the store\n", "",
              static_cast<double>(bytes) / static_cast<double>(all) / kLines,
              static_cast<double>(bytes) / static_cast<double>(std::filesystem::file_size(path)));
  ask(path, "UPDATE late_tables SET version = 0 WHERE name = 'edits'");
  const double computed = best_of(1, [&] { (void)store->edits(request); });
  std::printf("%-9s %8.2f ms without the index, %.0f x\n", "", computed * 1000, computed / asked);
}

void run(int edits, int conversations) {
  for (const bool is_one : {true, false}) {
    const TempDir dir;
    EditCorpus corpus;
    if (is_one) {
      std::printf("\n%d edits of one file, in 10 conversations\n", edits);
      for (int i = 0; i < 10; ++i) {
        const std::string name = "s" + std::to_string(i);
        corpus.write(dir.path / (name + ".jsonl"), name, {"/home/dev/wanted.py"}, edits / 10);
      }
    } else {
      std::printf("\n%d conversations, one in a hundred edits the file\n", conversations);
      for (int i = 0; i < conversations; ++i) {
        const std::string name = "s" + std::to_string(i);
        std::vector<std::string> files;
        for (int file = 0; file < 5; ++file) {
          files.push_back("/home/dev/src/file" + std::to_string((i * 7 + file) % 500) + ".py");
        }
        if (i % 100 == 0) files.front() = "/home/dev/wanted.py";
        corpus.write(dir.path / (name + ".jsonl"), name, files, 20);
      }
    }
    for (const char* seal : {"thinking", "all"}) measure(dir.path, seal);
  }
}

}  // namespace
}  // namespace weft::bench

int main(int count, char** words) {
  weft::bench::run(count > 1 ? std::atoi(words[1]) : 5'000,
                   count > 2 ? std::atoi(words[2]) : 1'500);
  return 0;
}
