// Commit: who committed what words and when, read from the commit object itself, as
// `git cat-file --batch` prints it. No setting of the repository changes these bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"

namespace weft::git {

struct Commit {
  std::vector<std::string> parents{};
  std::string author{};  // the name alone
  Millis author_time = 0, committer_time = 0;
  std::string message{};
  friend bool operator==(const Commit&, const Commit&) = default;

  std::string_view subject() const& {
    return std::string_view(message).substr(0, message.find('\n'));
  }
  std::string_view subject() const&& = delete;
};

// invalid_input if it is no commit object.
Result<Commit> parse_commit(std::string_view object);

// The values of the lines `TOKEN: VALUE` of a message, in order, at most `most`. Squashed commits
// have such lines anywhere, not only at the end. The token is compared without case.
std::vector<std::string> trailers_in(std::string_view message, std::string_view token,
                                     std::size_t most);

}  // namespace weft::git
