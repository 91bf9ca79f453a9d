// KillMoments: ends processes with SIGKILL at random moments of their work.
//
//   KillMoments moments(longest);                    // how long the work takes undisturbed
//   while (moments.goes_on(KillMoments::count())) {
//     SCOPED_TRACE(moments.trace());
//     const bool killed = moments.strike(start());   // a process that does the work
//     …                                              // nothing may be lost or half done
//   }
//   EXPECT_GT(moments.killed(), 0);
#pragma once

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "stdio_client.hpp"

namespace weft::test {

class KillMoments {
 public:
  // The moments of one kind of work: all of them in `./test long`, a tenth otherwise.
  static int count() { return test_is_long() ? 200 : 20; }

  explicit KillMoments(std::chrono::nanoseconds longest) : longest_(longest) {}
  // Measures how long the work takes.
  explicit KillMoments(const std::function<void()>& work) : longest_(0) {
    const auto began = std::chrono::steady_clock::now();
    work();
    longest_ = std::chrono::steady_clock::now() - began;
  }

  // Whether to strike again: `least` times, and on until a process was killed.
  bool goes_on(int least) const {
    return struck_ < least || (killed_ == 0 && struck_ < 10 * least);
  }
  std::string trace() const {
    return "seed " + std::to_string(seed_) + ", moment " + std::to_string(struck_);
  }
  // Waits for a random part of the work, kills the process and reaps it. False if it had ended by
  // itself; `exit` is its exit code then.
  bool strike(pid_t process) {
    wait();
    ::kill(process, SIGKILL);
    int status = 0;
    ::waitpid(process, &status, 0);
    return note(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
  }
  bool strike(StdioClient& process) {
    wait();
    process.kill(SIGKILL);
    return note(process.wait());
  }
  int killed() const { return killed_; }

  int exit = 0;  // of the last process

 private:
  void wait() {
    ++struck_;
    slept_ = longest_ * static_cast<long>(random_() % 1000) / 1000;
    std::this_thread::sleep_for(slept_);
  }
  bool note(int ended) {
    exit = ended;
    const bool was_killed = ended == -SIGKILL;
    killed_ += was_killed ? 1 : 0;
    // The machine may have become faster since it was measured.
    if (!was_killed) longest_ = std::min(slept_, longest_ * 19 / 20);
    return was_killed;
  }

  unsigned seed_ = test_seed();
  std::mt19937 random_{seed_};
  std::chrono::nanoseconds longest_, slept_{0};
  int struck_ = 0, killed_ = 0;
};

}  // namespace weft::test
