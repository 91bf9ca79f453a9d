// Candidates: the words that a shell offers while a person types a command line of weft.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::cli {

struct Candidate {
  std::string word{};
  std::string about{};  // a few words, on one line; may be empty
};

// Names that only the store knows. Each is asked at most once, and only if it is needed.
struct StoreNames {
  // Sessions, thoughts or projects whose name begins with `typed`.
  std::function<std::vector<Candidate>(const std::string& typed)> sessions{}, thoughts{},
      projects{};
};

struct Candidates {
  std::vector<Candidate> found{};
  bool files = false;  // the shell should offer files as well
};

// `words` are those after the program's name, up to the one that is being typed, which is the last
// and may be empty.
Candidates candidates_for(std::span<const std::string> words, const StoreNames& names);

}  // namespace weft::cli
