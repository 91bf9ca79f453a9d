// The time from writing a line to finding it, while weft follows the folder. Compares it, at rest
// and with twenty sessions growing at once, with a plain commit of the same line (a row and its
// words in SQLite); and the cost of a line beside 5,000 files with its cost beside 100.
//
//   bench_watch [LINES]    of each kind; 100 by default
#include <sqlite3.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include "measure.hpp"
#include "weft/ingest/follow/background_ingest.hpp"
#include "weft/query/questions.hpp"
#include "weft/store/open.hpp"

namespace weft::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kSessions = 20;
constexpr auto kPace = std::chrono::milliseconds(200);  // of a session that grows
constexpr auto kQuiet = std::chrono::milliseconds(250);
constexpr double kMostAtRest = 0.2, kMostUnderLoad = 1.0;  // seconds

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}
double worst(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

std::string line(int session, int number, const std::string& word) {
  const std::string n = std::to_string(number);
  return R"({"type":"user","uuid":"u)" + std::to_string(session) + "-" + n + R"(","sessionId":"s)" +
         std::to_string(session) +
         R"(","timestamp":"2026-02-01T10:00:00Z","cwd":"/home/ada/loom","message":{"role":"user",)" +
         R"("content":"prompt )" + n + " of session " + std::to_string(session) + ", with " + word +
         " in it\"}}\n";
}

void append(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

// A commit of its own for one line: what cannot be left out.
double plain_commits(const fs::path& path, int lines) {
  sqlite3* db = nullptr;
  sqlite3_open(path.c_str(), &db);
  sqlite3_exec(db,
               "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE lines(body TEXT); "
               "CREATE VIRTUAL TABLE words USING fts5(text, content='')",
               nullptr, nullptr, nullptr);
  std::vector<double> seconds;
  for (int i = 0; i < lines; ++i) {
    const std::string text = line(0, i, "word" + std::to_string(i));
    const Stopwatch stopwatch;
    char* sql = sqlite3_mprintf(
        "BEGIN; INSERT INTO lines(body) VALUES(%Q); INSERT INTO words(rowid, text) VALUES(%d, %Q); "
        "COMMIT",
        text.c_str(), i + 1, text.c_str());
    sqlite3_exec(db, sql, nullptr, nullptr, nullptr);
    sqlite3_free(sql);
    seconds.push_back(stopwatch.seconds());
  }
  sqlite3_close(db);
  return middle(seconds);
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A folder with sessions, and weft that follows it.
class Fixture {
 public:
  explicit Fixture(int files) {
    for (int i = 0; i < files; ++i) {
      const fs::path folder = dir_.path / "projects" / ("-p" + std::to_string(i % 40));
      fs::create_directories(folder);
      append(folder / ("old" + std::to_string(i) + ".jsonl"), line(1000 + i, 0, "old"));
    }
    fs::create_directories(dir_.path / "projects/-grows");
    const std::string path = dir_.path / "weft.db";
    auto writes = store::open_store(path, store::Create::yes);
    auto reads = store::open_store(path, store::Create::no);
    if (!writes || !reads) std::abort();
    writes_ = *std::move(writes);
    reads_ = *std::move(reads);
    ingest::Options options{
        .folders = {{formats::find_adapter("claude-code"), dir_.path / "projects"}}};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    background_ingest_ = std::make_unique<ingest::BackgroundIngest>(
        *writes_, keyring_, options, dir_.path / "weft.db.lock",
        ingest::IngestCallbacks{.on_ingested =
                                    [this](const ingest::Report&) {
                                      const std::scoped_lock guard(mutex_);
                                      ++ingested_;
                                      changed_.notify_all();
                                    },
                                .on_following =
                                    [this](const ingest::Report&) {
                                      const std::scoped_lock guard(mutex_);
                                      follows_ = true;
                                      changed_.notify_all();
                                    }});
    background_ingest_->begin();
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return follows_; });
  }

  fs::path file(int session) const {
    return dir_.path / "projects/-grows" / ("s" + std::to_string(session) + ".jsonl");
  }
  // Until the line can be found, through a store of its own as another process would.
  double latency(int session, int number) {
    const std::string word = "zq" + std::to_string(session) + "x" + std::to_string(number);
    const std::string text = line(session, number, word);
    const Stopwatch stopwatch;
    append(file(session), text);
    for (;;) {
      const Result<json::object> found =
          query::search({*reads_, &keyring_}, {.query = word, .limit = 1});
      if (found && !found->at("results").as_array().empty()) return stopwatch.seconds();
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  }
  // Processor time of one line, without the search for it.
  double cost(int session, int number) {
    std::unique_lock guard(mutex_);
    const int before = ingested_;
    const double began = cpu_seconds();
    append(file(session), line(session, number, "cost"));
    changed_.wait(guard, [&] { return ingested_ > before; });
    return cpu_seconds() - began;
  }

 private:
  TempDir dir_;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  std::unique_ptr<store::Store> writes_, reads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int ingested_ = 0;
  bool follows_ = false;
  std::unique_ptr<ingest::BackgroundIngest> background_ingest_;
};

void report(const char* what, const std::vector<double>& seconds, double floor, double most) {
  std::printf("%-38s middle %7.1f ms, worst %7.1f ms: %6.1f x a plain commit (limit %.0f ms)%s\n",
              what, middle(seconds) * 1e3, worst(seconds) * 1e3, middle(seconds) / floor,
              most * 1e3, worst(seconds) > most ? "  OVER" : "");
}

void run(int lines) {
  const TempDir dir;
  const double floor = plain_commits(dir.path / "floor.db", std::max(lines, 20));
  std::printf("a plain commit of one line: %.2f ms\n", floor * 1e3);
  double few_cost = 0;
  {
    Fixture fixture(100);
    std::vector<double> rest, load, costs;
    for (int i = 0; i < lines; ++i) {
      std::this_thread::sleep_for(kQuiet);
      rest.push_back(fixture.latency(0, i));
    }
    report("a line at rest, until it is found", rest, floor, kMostAtRest);
    for (int i = 0; i < lines; ++i) {
      std::this_thread::sleep_for(kQuiet);
      costs.push_back(fixture.cost(0, lines + i));
    }
    few_cost = middle(costs);
    std::atomic<bool> is_over = false;
    std::vector<std::thread> sessions;
    for (int session = 1; session <= kSessions; ++session) {
      sessions.emplace_back([&, session] {
        for (int i = 0; !is_over; ++i) {
          append(fixture.file(session), line(session, i, "load"));
          std::this_thread::sleep_for(kPace);
        }
      });
    }
    for (int i = 0; i < lines; ++i) load.push_back(fixture.latency(0, 2 * lines + i));
    is_over = true;
    for (std::thread& session : sessions) session.join();
    report("while 20 sessions grow", load, floor, kMostUnderLoad);
  }
  Fixture many(5'000);
  std::vector<double> costs;
  for (int i = 0; i < lines; ++i) {
    std::this_thread::sleep_for(kQuiet);
    costs.push_back(many.cost(0, i));
  }
  std::printf("processor time of a line: %.2f ms among 100 files, %.2f ms among 5,000: %.2f x\n",
              few_cost * 1e3, middle(costs) * 1e3, middle(costs) / few_cost);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  weft::bench::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 100);
  return 0;
}
