// The cost of a hook for the agent that calls it: `weft hook` as a process, against /bin/true as a
// process with the same stdin. The store is there, the file has something new each time.
//
//   bench_hook [CALLS]
#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "claude_corpus.hpp"
#include "measure.hpp"

namespace weft::bench {
namespace {

namespace fs = std::filesystem;

// Milliseconds from start to end, with `input` on stdin, as an agent runs it.
double call(const std::vector<std::string>& words, const std::string& input,
            std::vector<std::string> variables) {
  std::vector<std::string> texts = words;
  std::vector<char*> argv, envp;
  for (std::string& text : texts) argv.push_back(text.data());
  for (std::string& text : variables) envp.push_back(text.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 2);
  const Stopwatch stopwatch;
  pid_t pid = 0;
  const bool is_begun =
      ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), envp.data()) == 0;
  ::close(in[0]);
  ::close(out[1]);
  // /bin/true may have ended without reading.
  [[maybe_unused]] const ssize_t written = ::write(in[1], input.data(), input.size());
  ::close(in[1]);
  // An agent waits until every process has closed the pipes.
  char buffer[4096];
  while (::read(out[0], buffer, sizeof buffer) > 0) {
  }
  int status = 0;
  if (is_begun) ::waitpid(pid, &status, 0);
  const double ms = stopwatch.seconds() * 1000;
  ::close(out[0]);
  ::posix_spawn_file_actions_destroy(&actions);
  return is_begun && status == 0 ? ms : -1;
}

struct Times {
  std::vector<double> ms;
  double at(double share) {
    std::ranges::sort(ms);
    return ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1))];
  }
};

int measure(int calls) {
  std::signal(SIGPIPE, SIG_IGN);
  const TempDir dir;
  const fs::path projects = dir.path / ".claude/projects";
  ClaudeCorpus(3).write(projects, 4u << 20);
  fs::path session;
  for (const auto& entry : fs::recursive_directory_iterator(projects)) {
    if (entry.path().extension() == ".jsonl") session = entry.path();
  }
  const std::vector<std::string> variables = {"HOME=" + dir.path.string(), "PATH=/usr/bin:/bin",
                                              "WEFT_HOME=" + (dir.path / "home").string()};
  run_weft({"ingest", "--home", (dir.path / "home").string(), "--source",
            "claude-code:" + projects.string()});
  const std::string event = R"({"session_id":"bench","hook_event_name":"PostToolUse",)"
                            R"("tool_name":"Bash","transcript_path":")" +
                            session.string() + "\"}";
  Times floor, hooks;
  for (int i = 0; i < calls; ++i) {
    const double nothing = call({"/bin/true"}, event, variables);
    std::ofstream(session, std::ios::app)
        << R"({"type":"user","uuid":"bench)" << i << R"(","sessionId":"bench",)"
        << R"("timestamp":"2026-02-01T10:00:00.000Z","message":{"role":"user","content":"go on"}})"
        << "\n";
    const double hook = call({WEFT_BINARY, "hook"}, event, variables);
    if (nothing < 0 || hook < 0) return std::printf("a call failed\n"), 1;
    floor.ms.push_back(nothing);
    hooks.ms.push_back(hook);
  }
  const double p50 = hooks.at(0.5), p99 = hooks.at(0.99);
  std::printf("/bin/true  p50 %7.2f ms   p99 %7.2f ms\n", floor.at(0.5), floor.at(0.99));
  std::printf("weft hook  p50 %7.2f ms   p99 %7.2f ms (limit 50)%s\n", p50, p99,
              p99 > 50 ? "  OVER" : "");
  std::printf("           %.1f x /bin/true, %.2f ms more\n", p50 / floor.at(0.5),
              p50 - floor.at(0.5));
  // Nobody is left at work when the folder goes.
  for (int i = 0; i < 200 && fs::exists(dir.path / "home/hooks"); ++i) {
    const bool is_done = std::ranges::none_of(
        fs::directory_iterator(dir.path / "home/hooks"), [](const fs::directory_entry& entry) {
          return entry.path().filename().string().size() >= 64;
        });
    if (is_done) break;
    ::usleep(50'000);
  }
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  return weft::bench::measure(argc > 1 ? std::atoi(argv[1]) : 100);
}
