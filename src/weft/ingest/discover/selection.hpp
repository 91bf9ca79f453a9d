// Selects conversations by path and project.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::ingest {

// Shell patterns (`*`, `?`, `[a-z]`). A pattern with a slash matches paths: `*` also matches
// slashes, and a folder stands for everything in it. Any other pattern matches projects.
struct Selection {
  std::vector<std::string> include{};  // if not empty: only these
  std::vector<std::string> exclude{};  // none of these, even if included
  // Matches projects, or the folders that their names were made from.
  std::optional<std::string> pattern{};
  bool subagents = true;

  // The reason why a file is not selected ("excluded", "not included", "other project"); empty if
  // it is.
  std::string_view refuses(std::string_view path, std::string_view project) const;
};

bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace weft::ingest
