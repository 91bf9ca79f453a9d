// The peak memory of weft with given arguments.
#pragma once

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "program.hpp"

namespace weft::test {

struct PeakMemory {
  long kb = 0;
  int exit = -1;  // the exit code; the negative signal where one ended it
};

// Linux counts the memory of the process that forked towards the peak of the new program, and that
// is this test program, which may be sanitized and large. So a shell starts weft and ends; weft
// becomes our child without having been forked from us.
inline PeakMemory peak_memory(const Weft& weft, const std::vector<std::string>& arguments) {
  EXPECT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
  std::vector<std::string> words = {"-c", R"("$@" </dev/null >/dev/null 2>&1 & echo $!)", "sh",
                                    WEFT_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Ran started = run_program("/bin/sh", words, weft.environment);
  EXPECT_EQ(started.exit, 0) << started;
  int status = 0;
  rusage usage{};
  EXPECT_GT(::wait4(std::stoi(started.out), &status, 0, &usage), 0);
  EXPECT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
  return {usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)};
}

}  // namespace weft::test
