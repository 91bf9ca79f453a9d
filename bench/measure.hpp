// Helpers to measure: a stopwatch, a temporary directory, and running the program itself.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace weft::bench {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class TempDir {
 public:
  TempDir() {
    std::string name = std::filesystem::temp_directory_path() / "weft-bench-XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~TempDir() { std::filesystem::remove_all(path); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::filesystem::path path;
};

struct Ran {
  double seconds = 0;
  double peak_mb = 0;
  int exit = -1;
  double cpu_seconds = 0;
  // Processor time by the names of threads, as last seen; the main thread has the program's name.
  std::map<std::string, double> threads{};
};

// The processor time of each thread of a running process.
inline std::map<std::string, double> thread_times(pid_t pid) {
  std::map<std::string, double> times;
  std::error_code gone;
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
    std::string stat;
    std::getline(std::ifstream(task.path() / "stat"), stat);
    const std::size_t begin = stat.find('('), end = stat.rfind(')');
    if (begin == std::string::npos || end == std::string::npos) continue;
    std::istringstream fields(stat.substr(end + 1));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0, system = 0;  // in clock ticks
    fields >> user >> system;
    times[stat.substr(begin + 1, end - begin - 1)] +=
        (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  return times;
}

// Runs a program with its output thrown away.
inline Ran run_program(const char* program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(program)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const Stopwatch stopwatch;
  pid_t pid = 0;
  Ran ran;
  if (posix_spawnp(&pid, program, &actions, nullptr, argv.data(), environ) == 0) {
    int status = 0;
    rusage usage{};
    while (::wait4(pid, &status, WNOHANG, &usage) == 0) {
      for (const auto& [name, seconds] : thread_times(pid)) ran.threads[name] = seconds;
      ::usleep(2'000);
    }
    ran.seconds = stopwatch.seconds();
    ran.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;
    ran.exit = WEXITSTATUS(status);
    const auto seconds_of = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    ran.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  posix_spawn_file_actions_destroy(&actions);
  return ran;
}

inline Ran run_weft(const std::vector<std::string>& arguments) {
  return run_program(WEFT_BINARY, arguments);
}

// Where the time of an ingest goes, by its three steps, and how fast more cores could make it: at
// best as fast as the slowest step, two threads for signing counted. That is a projection.
inline void report_stages(const Ran& ran) {
  const auto of = [&](const char* name) {
    const auto found = ran.threads.find(name);
    return found == ran.threads.end() ? 0.0 : found->second;
  };
  const double sign = of("weft sign"), commit = of("weft commit");
  const double weave = ran.cpu_seconds - sign - commit;
  const auto percent = [&](double seconds) { return 100 * seconds / ran.cpu_seconds; };
  std::printf(
      "%-46s %8.2f s  reading and weaving %.0f %%, signing, packing and terms %.0f %%, committing "
      "%.0f %% (the writer's serial share)\n",
      "processor time", ran.cpu_seconds, percent(weave), percent(sign), percent(commit));
  std::printf("%-46s %8.2f s  (a projection: the slowest step alone)\n", "on eight cores",
              std::max({weave, sign / 2, commit}));
}

// One line of the result: its name, its time, and the ratio to what it is compared with.
inline void report(const char* what, double seconds, double floor_seconds, double limit) {
  std::printf("%-46s %8.2f s  %5.2f x the floor (limit %.1f)%s\n", what, seconds,
              seconds / floor_seconds, limit, seconds / floor_seconds > limit ? "  OVER" : "");
}

}  // namespace weft::bench
