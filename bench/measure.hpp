// Helpers to measure: a stopwatch, a temporary directory, and running the program itself.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
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
};

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
    ::wait4(pid, &status, 0, &usage);
    ran = {stopwatch.seconds(), static_cast<double>(usage.ru_maxrss) / 1024, WEXITSTATUS(status)};
  }
  posix_spawn_file_actions_destroy(&actions);
  return ran;
}

inline Ran run_weft(const std::vector<std::string>& arguments) {
  return run_program(WEFT_BINARY, arguments);
}

// One line of the result: its name, its time, and the ratio to what it is compared with.
inline void report(const char* what, double seconds, double floor_seconds, double limit) {
  std::printf("%-46s %8.2f s  %5.2f x the floor (limit %.1f)%s\n", what, seconds,
              seconds / floor_seconds, limit, seconds / floor_seconds > limit ? "  OVER" : "");
}

}  // namespace weft::bench
