// Which of the conversations that are found are wanted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::ingest {

// Shell patterns (`*`, `?`, `[a-z]`). One with a slash in it is of paths, where `*` does not
// stop at a slash and a folder stands for all that is in it; any other is of projects.
struct Selection {
  std::vector<std::string> include{};  // where there are any: only these
  std::vector<std::string> exclude{};  // none of these, whatever is included
  // Of projects, or of the folders that their names were made from.
  std::optional<std::string> pattern{};
  bool subagents = true;

  // Why a file is not wanted ("excluded", "not included", "other project"); empty if it is.
  std::string_view refuses(std::string_view path, std::string_view project) const;
};

bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace weft::ingest
