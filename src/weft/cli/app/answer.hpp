// How a command ends: with an answer, with an answer that says no, or with a refusal.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "weft/base/result.hpp"

namespace weft::cli {

// The program's exit codes.
enum class Exit {
  done = 0,
  no = 1,       // not found, nothing taken in, verification failed
  usage = 2,    // the command line makes no sense
  failure = 3,  // it could not be done
};

// Why there is no answer, and what the person can do about it.
struct Refusal {
  Error error;
  Exit exit = Exit::failure;
  std::string hint{};  // one line, or empty
};

template <class T>
using Asked = std::expected<T, Refusal>;
using Answer = Asked<Exit>;

// What is not there is an answer; all else is a failure.
inline std::unexpected<Refusal> refuse(Error error, std::string hint = {}) {
  const Exit exit = error.code == ErrorCode::not_found ? Exit::no : Exit::failure;
  return std::unexpected(Refusal{std::move(error), exit, std::move(hint)});
}
inline std::unexpected<Refusal> refuse(Error error, Exit exit, std::string hint = {}) {
  return std::unexpected(Refusal{std::move(error), exit, std::move(hint)});
}
// Passes on somebody else's.
template <class T>
std::unexpected<Refusal> refuse(Asked<T>&& asked) {
  return std::unexpected(std::move(asked).error());
}

}  // namespace weft::cli
