// Result types of commands: an exit code, or a Refusal with an error, an exit code and a hint.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "weft/base/result.hpp"

namespace weft::cli {

// The program's exit codes.
enum class Exit {
  done = 0,
  no = 1,       // not found, nothing ingested, verification failed
  usage = 2,    // the command line is wrong
  failure = 3,  // the command failed
};

// An error, and what the person can do about it.
struct Refusal {
  Error error;
  Exit exit = Exit::failure;
  std::string hint{};  // one line, or empty
};

template <class T>
using Outcome = std::expected<T, Refusal>;
using Answer = Outcome<Exit>;

// not_found is an answer (exit code 1); every other error is a failure.
inline std::unexpected<Refusal> refuse(Error error, std::string hint = {}) {
  const Exit exit = error.code == ErrorCode::not_found ? Exit::no : Exit::failure;
  return std::unexpected(Refusal{std::move(error), exit, std::move(hint)});
}
inline std::unexpected<Refusal> refuse(Error error, Exit exit, std::string hint = {}) {
  return std::unexpected(Refusal{std::move(error), exit, std::move(hint)});
}
// Passes on the refusal of another function.
template <class T>
std::unexpected<Refusal> refuse(Outcome<T>&& outcome) {
  return std::unexpected(std::move(outcome).error());
}

}  // namespace weft::cli
