// Ingests the Claude Code sessions of a machine: cold, again, and after one more line, including
// signing, sealing and the archive.
//
//   bench_sources [MB]…        150 by default; 150 1500 shows how it grows
//   bench_sources plain [MB]   sessions of which little comes twice: the store takes more of them
//   bench_sources one MB…      one session of that size, and one line appended to it
//   bench_sources write MB DIR [plain]   the sessions alone, to look at
//   bench_sources size DIR     the size of real sessions in the store
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "claude_corpus.hpp"
#include "floor.hpp"

namespace weft::bench {
namespace {

std::vector<std::string> blocks_of(const std::string& bytes, double& parse) {
  std::vector<std::string> blocks;
  for (std::size_t from = 0; from < bytes.size();) {
    const std::size_t end = bytes.find('\n', from);
    Stopwatch parsing;
    Result<ParsedJson> parsed = parse_json(std::string_view(bytes).substr(from, end - from));
    parse += parsing.seconds();
    from = end + 1;
    if (!parsed) continue;
    const json::value& content = parsed->value.at("message").at("content");
    if (const json::array* array = content.if_array()) {
      for (const json::value& block : *array) blocks.push_back(canonical_json(block));
    } else {
      blocks.push_back(canonical_json(content));
    }
  }
  return blocks;
}

double megabytes_of(const std::filesystem::path& path) {
  return static_cast<double>(std::filesystem::file_size(path)) / (1 << 20);
}

void report_memory(const Ran& ran) {
  std::printf("%-46s %8.1f MB (limit 300)%s, exit %d\n", "peak memory", ran.peak_mb,
              ran.peak_mb > 300 ? "  OVER" : "", ran.exit);
}

void report_size(const std::filesystem::path& home, double files) {
  const double store = megabytes_of(home / "weft.db");
  std::printf("%-46s %8.1f MB %5.2f of the files (limit 1.1)%s\n", "store, archive and index",
              store, store / files, store / files > 1.1 ? "  OVER" : "");
}

// What a user would write instead, in turns with weft: a machine is not as fast from one minute to
// the next. `first` is what weft took last, in a home that is there already.
void compare_with_peer(const std::filesystem::path& projects, const std::filesystem::path& dir,
                       double first) {
  constexpr int kRounds = 3;
  std::vector<std::pair<double, double>> rounds;  // the ratio, and the peer's seconds
  for (int i = 0; i < kRounds; ++i) {
    const std::filesystem::path database = dir / "plain.db", home = dir / "home-again";
    const Ran plain =
        run_program("python3", {WEFT_SOURCE_DIR "/bench/plain_fts5.py", projects, database});
    std::filesystem::remove(database);
    if (plain.exit != 0) {
      std::printf("%-46s not measured: there is no python3\n", "plain FTS5 build in Python");
      return;
    }
    double seconds = first;
    if (i > 0) {
      seconds = run_weft({"ingest", "--json", "--home", home, "--source",
                          "claude-code:" + projects.string()})
                    .seconds;
      std::filesystem::remove_all(home);
    }
    rounds.emplace_back(seconds / plain.seconds, plain.seconds);
  }
  std::ranges::sort(rounds);
  const auto [ratio, seconds] = rounds[kRounds / 2];
  std::printf("%-46s %8.2f s  weft takes %.2f, %.2f, %.2f times that (limit 1.2)%s\n",
              "plain FTS5 build in Python", seconds, rounds[0].first, ratio, rounds[2].first,
              ratio > 1.2 ? "  OVER" : "");
}

double measure(std::uint64_t megabytes, ClaudeCorpus::Kind kind = ClaudeCorpus::Kind::full) {
  const TempDir dir;
  const std::filesystem::path projects = dir.path / "projects";
  const auto files = ClaudeCorpus(7, kind).write(projects, megabytes << 20);
  double size = 0;
  for (const auto& file : files) size += megabytes_of(file);
  const Floor floor = measure_floor(files, dir.path, blocks_of);
  std::printf("%.0f MB in %zu sessions, %zu blocks\n", size, files.size(), floor.blocks);
  floor.print();
  const std::vector<std::string> arguments{"ingest",   "--json",
                                           "--home",   dir.path / "home",
                                           "--source", "claude-code:" + projects.string()};
  const Ran cold = run_weft(arguments);
  report("cold ingest", cold.seconds, floor.sum(), 2.0);
  report_stages(cold);
  compare_with_peer(projects, dir.path, cold.seconds);
  const Ran again = run_weft(arguments);
  std::printf("%-46s %8.2f s  %5.3f of the first (limit 0.05)%s\n", "nothing new", again.seconds,
              again.seconds / cold.seconds, again.seconds / cold.seconds > 0.05 ? "  OVER" : "");
  report_size(dir.path / "home", size);
  report_memory(cold);
  return cold.seconds / size;
}

// Random words are worth more bits than what people and programs write.
void measure_size(const std::filesystem::path& folder) {
  const TempDir dir;
  const Ran ran = run_weft({"ingest", "--json", "--home", dir.path / "home", "--source",
                            "claude-code:" + folder.string()});
  double size = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".jsonl") size += megabytes_of(entry.path());
  }
  std::printf("%.0f MB of sessions, exit %d\n", size, ran.exit);
  report_size(dir.path / "home", size);
}

// What appending costs must not depend on what is there already.
double measure_one(std::uint64_t megabytes) {
  const TempDir dir;
  ClaudeCorpus corpus(7);
  const std::filesystem::path path = corpus.write_one(dir.path / "projects", megabytes << 20);
  const std::vector<std::string> arguments{"ingest", "--json", "--home", dir.path / "home", path};
  const Ran cold = run_weft(arguments);
  std::printf("one session of %.0f MB\n%-46s %8.2f s\n", megabytes_of(path), "cold ingest",
              cold.seconds);
  report_memory(cold);
  double append = 1e9;
  for (int i = 0; i < 5; ++i) {
    std::ofstream(path, std::ios::binary | std::ios::app) << corpus.prompt();
    append = std::min(append, run_weft(arguments).seconds);
  }
  std::printf("%-46s %8.4f s, start of the program included\n", "one line appended", append);
  return append;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  if (argc > 2 && std::strcmp(argv[1], "one") == 0) {
    double first = 0;
    for (int i = 2; i < argc; ++i) {
      const double cost = weft::bench::measure_one(std::strtoull(argv[i], nullptr, 10));
      if (first == 0) first = cost;
      if (i > 2)
        std::printf("%-46s %5.2f times that of the first\n", "one line there", cost / first);
    }
    return 0;
  }
  if (argc >= 4 && std::strcmp(argv[1], "write") == 0) {
    using Corpus = weft::bench::ClaudeCorpus;
    const bool is_plain = argc == 5 && std::strcmp(argv[4], "plain") == 0;
    Corpus(7, is_plain ? Corpus::Kind::plain : Corpus::Kind::full)
        .write(argv[3], std::strtoull(argv[2], nullptr, 10) << 20);
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "plain") == 0) {
    weft::bench::measure(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 150,
                         weft::bench::ClaudeCorpus::Kind::plain);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "size") == 0) {
    weft::bench::measure_size(argv[2]);
    return 0;
  }
  double first = 0;
  for (int i = 1; i < argc || i == 1; ++i) {
    const auto megabytes = argc > 1 ? std::strtoull(argv[i], nullptr, 10) : 150;
    const double rate = weft::bench::measure(megabytes);
    if (first == 0) first = rate;
    if (i > 1) {
      std::printf("%-46s %5.2f times the time a megabyte (limit 1.1)\n", "growth", rate / first);
    }
  }
}
