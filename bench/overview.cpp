// How questions over all conversations grow with their number: `weft list`, `stats` and `cost`,
// process start included, and list_conversations, alone and beside an ingest. In both seal modes.
//
//   bench_overview [MB]             the larger of two corpora, ten times the smaller one; 1000 make
//                                   a million blocks
//   bench_overview fill DIR MB SEAL leaves such a corpus in DIR/talks and its store in DIR/home, to
//                                   count the instructions of one question
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "claude_corpus.hpp"
#include "measure.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/query/sessions/sessions.hpp"
#include "weft/store/open.hpp"

namespace weft::bench {
namespace {

constexpr int kRuns = 15;

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

std::string fill(const std::filesystem::path& dir, std::uint64_t bytes, const std::string& seal) {
  const std::string home = dir / "home";
  ClaudeCorpus corpus(7, ClaudeCorpus::Kind::plain);
  corpus.write(dir / "talks", bytes);
  corpus.write(dir / "later", bytes / 4 + 1);
  run_weft({"init", "--seal", seal, "--home", home});
  run_weft({"ingest", "--home", home, dir / "talks"});
  return home;
}

// A home with a generated corpus in it.
class Home {
 public:
  Home(std::uint64_t bytes, const std::string& seal) : home_(fill(dir_.path, bytes, seal)) {
    keyring_ = *crypto::Keyring::parse(text_of(home_ + "/keyring.json"), {});
    store_ = *store::open_store_to_read(home_ + "/weft.db");
  }

  // In milliseconds.
  double run(std::vector<std::string> question) const {
    question.insert(question.end(), {"--home", home_});
    std::vector<double> times;
    for (int i = 0; i < kRuns; ++i) times.push_back(run_weft(question).seconds * 1000);
    return median(std::move(times));
  }

  // One page of list_conversations, in this process, as `weft mcp` answers it.
  double list_page(std::uint64_t& total) const {
    const Stopwatch stopwatch;
    const query::PinnedLibrary library(*store_, &*keyring_);
    const auto page = query::list_sessions(library, {.limit = 50});
    if (!page) std::abort();
    total = page->at("total").to_number<std::uint64_t>();
    return stopwatch.seconds() * 1000;
  }

  std::vector<double> list_pages_beside_an_ingest() const {
    std::jthread ingest([this] { run_weft({"ingest", "--home", home_, dir_.path / "later"}); });
    std::atomic<bool> is_over = false;
    std::jthread end([&] {
      ingest.join();
      is_over = true;
    });
    std::vector<double> times;
    std::uint64_t total = 0;
    while (!is_over) times.push_back(list_page(total));
    return times;
  }

 private:
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TempDir dir_;
  std::string home_;
  std::optional<crypto::Keyring> keyring_;
  std::unique_ptr<store::Store> store_;
};

void compare(std::uint64_t bytes, const std::string& seal) {
  const Home small(bytes / 10, seal), large(bytes, seal);
  std::uint64_t few = 0, many = 0;
  small.list_page(few);
  large.list_page(many);
  std::printf("seal %s: %llu and %llu conversations\n", seal.c_str(),
              static_cast<unsigned long long>(few), static_cast<unsigned long long>(many));
  const auto show = [&](const char* what, double before, double after) {
    std::printf("%-40s %8.1f ms %8.1f ms  %5.2f x for %.1f x the conversations\n", what, before,
                after, after / before, static_cast<double>(many) / static_cast<double>(few));
  };
  const std::vector<std::vector<std::string>> questions = {
      {"--version"}, {"list"}, {"list", "--json"}, {"stats"}, {"cost", "--by", "day"}};
  for (const auto& question : questions) {
    std::string name = "weft";
    for (const std::string& word : question) name += " " + word;
    show(name.c_str(), small.run(question), large.run(question));
  }
  const auto page = [](const Home& home) {
    std::vector<double> times;
    std::uint64_t total = 0;
    for (int i = 0; i < kRuns; ++i) times.push_back(home.list_page(total));
    return median(std::move(times));
  };
  show("list_conversations", page(small), page(large));
  auto before = small.list_pages_beside_an_ingest(), after = large.list_pages_beside_an_ingest();
  show("list_conversations beside an ingest", median(before), median(after));
  std::printf("%-40s %8.1f ms\n", "  the slowest", std::ranges::max(after));
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == "fill") {
    weft::bench::fill(argv[2], std::strtoull(argv[3], nullptr, 10) << 20, argv[4]);
    return 0;
  }
  const std::uint64_t megabytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  for (const char* seal : {"thinking", "all"}) weft::bench::compare(megabytes << 20, seal);
}
