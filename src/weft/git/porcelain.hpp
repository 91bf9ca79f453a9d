// Reads what `git blame --line-porcelain` prints. The text comes from a repository, which may be
// anybody's: any bytes are read without harm.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"

namespace weft::git {

// A commit, and the file in it, that lines come from.
struct Origin {
  std::string commit;  // the hexadecimal name
  std::string path;    // of the file in that commit, from the root
  // The path in the commit's parent, other than `path` if the commit renamed the file. Empty if the
  // commit made the file.
  std::string previous_path{};
  std::string subject{}, author{};
  Millis author_time = 0;
  Millis committer_time = 0;  // later than the author's if the commit was amended or rebased
  friend bool operator==(const Origin&, const Origin&) = default;
};

struct BlamedLine {
  std::size_t origin = 0;         // in Blame::origins
  std::size_t number = 0;         // of the line in the file that was asked about, from 1
  std::size_t origin_number = 0;  // of the line in the file of its origin
  friend bool operator==(const BlamedLine&, const BlamedLine&) = default;
};

struct Blame {
  std::vector<Origin> origins{};    // each commit and path once
  std::vector<BlamedLine> lines{};  // by number
};

// invalid_input if it is no such text, with the line at which it is not.
Result<Blame> parse_porcelain(std::string_view text);

// A path as git quotes it: "a\"b\303\244" in quotes, or as it is. invalid_input for a quote that
// does not end, or an escape that git does not write.
Result<std::string> unquoted(std::string_view text);

}  // namespace weft::git
