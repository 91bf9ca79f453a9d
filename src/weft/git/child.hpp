// Runs another program to its end and returns what it printed. No shell is involved, and the
// program gets exactly the arguments and the environment that are given.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::git {

struct Child {
  std::string program;  // a name that is looked up in $PATH, or a path
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};  // "NAME=value", and nothing else
  std::optional<std::string> input{};      // on stdin; without it stdin is /dev/null
  std::size_t most_output = 256u << 20;    // bytes on stdout
  std::chrono::milliseconds time = std::chrono::minutes(10);
  std::stop_token stop{};
};

struct ChildOutput {
  int exit = 0;  // the exit code; the negative signal if one ended it
  std::string out;
  std::string err;  // the beginning of stderr
};

// not_found if there is no such program; invalid_input if it prints more than `most_output`;
// unavailable if it takes longer than `time`, a stop is requested, or it cannot be started. The
// program and everything that it started are killed in these cases.
[[nodiscard]] Result<ChildOutput> run_child(const Child& child);

}  // namespace weft::git
