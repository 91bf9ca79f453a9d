// What a person waits for at a prompt: the first screen of a session of 100,000 blocks, what a
// shell offers for completion, and words like a mistyped one. Processor time, which depends less on
// what else the machine does, against the start of the program, `weft --version`, in the same run.
// Beside the long session the store has about a hundred others.
//
//   bench_read [BLOCKS]
#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "claude_corpus.hpp"
#include "long_talk.hpp"
#include "measure.hpp"

namespace weft::bench {
namespace {

constexpr int kTimes = 11;
constexpr std::size_t kScreenBytes = 4'000;

struct Started {
  double cpu_ms = 0, wall_ms = 0, peak_mb = 0;
  std::uint64_t bytes = 0;
};

// Reads all that weft prints, or the first screen, after which nobody reads on, as when a person
// leaves the pager.
enum class Until { screen, end };
Started start(const std::vector<std::string>& words, Until until = Until::end) {
  std::vector<char*> argv{const_cast<char*>(WEFT_BINARY)};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int out[2];
  Started started;
  if (::pipe2(out, O_CLOEXEC) != 0) return started;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const Stopwatch stopwatch;
  pid_t pid = 0;
  const bool is_begun =
      ::posix_spawn(&pid, WEFT_BINARY, &actions, nullptr, argv.data(), environ) == 0;
  ::close(out[1]);
  char buffer[1 << 16];
  for (ssize_t got = 0; (got = ::read(out[0], buffer, sizeof buffer)) > 0;) {
    started.bytes += static_cast<std::uint64_t>(got);
    if (until == Until::screen && started.bytes >= kScreenBytes) break;
  }
  started.wall_ms = stopwatch.seconds() * 1000;
  ::close(out[0]);
  rusage usage{};
  int status = 0;
  if (is_begun) ::wait4(pid, &status, 0, &usage);
  const bool is_left = WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE;
  if (!is_begun || !(is_left || (WIFEXITED(status) && WEXITSTATUS(status) <= 1))) {
    std::printf("a call of weft failed: %s\n", words.back().c_str());
    std::exit(1);
  }
  const auto ms_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  started.cpu_ms = ms_of(usage.ru_utime) + ms_of(usage.ru_stime);
  started.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  ::posix_spawn_file_actions_destroy(&actions);
  return started;
}

Started median(const std::vector<std::string>& words, Until until = Until::end) {
  std::vector<Started> all;
  for (int i = 0; i < kTimes; ++i) all.push_back(start(words, until));
  std::ranges::sort(all, {}, &Started::cpu_ms);
  return all[all.size() / 2];
}

int measure(std::uint64_t blocks) {
  const TempDir dir;
  const std::string home = (dir.path / "home").string();
  const std::filesystem::path projects = dir.path / "projects", talk = dir.path / "talk.txt";
  ClaudeCorpus(3).write(projects, 24u << 20);
  LongTalk().write(talk, blocks);
  const auto with_home = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"--home", home});
    return words;
  };
  if (run_weft(with_home({"ingest", "--source", "claude-code:" + projects.string()})).exit != 0 ||
      run_weft(with_home({"ingest", talk.string()})).exit != 0) {
    return std::printf("the ingest failed\n"), 1;
  }
  const Started floor = median({"--version"});
  std::printf("%-46s %7.1f ms  (%.0f ms on the clock)\n", "weft --version, the floor", floor.cpu_ms,
              floor.wall_ms);
  const auto report_ms = [&](const char* what, const Started& now, double limit) {
    std::printf("%-46s %7.1f ms  %5.1f x the floor (limit %.0f ms)%s  (%.0f ms on the clock)\n",
                what, now.cpu_ms, now.cpu_ms / floor.cpu_ms, limit,
                now.cpu_ms > limit ? "  OVER" : "", now.wall_ms);
  };
  const std::vector<std::string> read = with_home({"read", "long-talk"});
  report_ms("weft read: the first screen", median(read, Until::screen), 100);
  const Started whole = start(read);
  std::printf("%-46s %7.1f s   %.0f MB, %.0f MB of memory at most\n", "weft read: all of it",
              whole.cpu_ms / 1000, static_cast<double>(whole.bytes) / 1e6, whole.peak_mb);
  const auto complete = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"completion", "--words", "--"});
    return median(with_home(words));
  };
  report_ms("completion: commands", complete({"re"}), 50);
  report_ms("completion: sessions", complete({"walk", ""}), 50);
  report_ms("completion: projects", complete({"list", "--project", ""}), 50);
  report_ms("completion: thoughts", complete({"why", "3f"}), 50);
  report_ms("weft search: two words", median(with_home({"search", "project", "loom"})), 100);
  report_ms("weft search: a mistyped word", median(with_home({"search", "projetc"})), 200);
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  return weft::bench::measure(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000);
}
