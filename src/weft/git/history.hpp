// Reads what `git log --parents --raw -z` prints of the commits that touched some paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"

namespace weft::git {

// The format of the log that parse_history() reads.
inline constexpr std::string_view kHistoryFormat = "--format=tformat:%x01%H %at %ct %P";

// A file as a commit left it.
struct TouchedFile {
  std::string path;
  std::string blob;  // the name of its content; empty if the commit removed the file
  friend bool operator==(const TouchedFile&, const TouchedFile&) = default;
};

struct HistoryEntry {
  std::string commit;
  Millis author_time = 0, committer_time = 0;
  std::vector<std::string> parents{};  // among the commits of the history
  std::vector<TouchedFile> files{};    // none for a merge
  friend bool operator==(const HistoryEntry&, const HistoryEntry&) = default;
};

// Commits in the order printed. invalid_input if it is no such text.
Result<std::vector<HistoryEntry>> parse_history(std::string_view text);

}  // namespace weft::git
