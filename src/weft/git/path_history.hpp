// PathHistory: when the files of a repository were committed, by the times of their authors, which
// survive a rebase.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/git/history.hpp"

namespace weft::git {

class PathHistory {
 public:
  explicit PathHistory(std::vector<HistoryEntry> entries);

  // The author time of the newest commit among the ancestors of `commit` that touched one of the
  // paths and is not newer than `author_time`. For a commit that touched none of the paths of the
  // history, such as a merge, every other commit of the history counts as an ancestor. Empty if
  // there is none.
  std::optional<Millis> previous_time(std::string_view commit, Millis author_time,
                                      std::span<const std::string> paths) const;
  // The newest author time of a commit that touched one of the paths.
  std::optional<Millis> last_time(std::span<const std::string> paths) const;
  // The content of a file as this commit left it, by name; empty if it did not touch the file.
  std::optional<std::string> find_blob(std::string_view commit, std::string_view path) const;

 private:
  const HistoryEntry* find(std::string_view commit) const;

  std::vector<HistoryEntry> entries_;
  std::unordered_map<std::string_view, std::size_t> by_commit_;  // the keys point into entries_
};

}  // namespace weft::git
