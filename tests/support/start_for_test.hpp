// start(): weft as a process that a test may kill.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "program.hpp"

namespace weft::test {

// Its output is thrown away.
inline pid_t start(const Weft& weft, std::vector<std::string> words) {
  words.insert(words.begin(), WEFT_BINARY);
  const pid_t child = ::fork();
  if (child != 0) return child;
  std::vector<char*> arguments, environment;
  std::vector<std::string> pairs;
  for (const auto& [name, value] : weft.environment) pairs.push_back(name + "=" + value);
  for (std::string& word : words) arguments.push_back(word.data());
  for (std::string& pair : pairs) environment.push_back(pair.data());
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(126);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(126);
  ::execve(arguments.front(), arguments.data(), environment.data());
  ::_exit(127);
}

// As waitpid() has it.
inline int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace weft::test
