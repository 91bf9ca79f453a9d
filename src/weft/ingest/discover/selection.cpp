#include "weft/ingest/discover/selection.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace weft::ingest {
namespace {

bool matches(const std::string& pattern, std::string_view path, std::string_view project) {
  if (pattern.find('/') == std::string::npos) return matches_glob(pattern, project);
  if (matches_glob(pattern, path)) return true;
  std::string folder = pattern;
  while (folder.ends_with('/')) folder.pop_back();
  return matches_glob(folder + "/*", path);
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view path,
                 std::string_view project) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return matches(pattern, path, project); });
}

// Whether the name of a folder on the way to the file matches.
bool in_folder_called(const std::string& pattern, std::string_view path) {
  std::size_t from = 0;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', from)) {
    if (slash > from && matches_glob(pattern, path.substr(from, slash - from))) return true;
    from = slash + 1;
  }
  return false;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  return ::fnmatch(std::string(pattern).c_str(), std::string(text).c_str(), 0) == 0;
}

std::string_view Selection::refuses(std::string_view path, std::string_view project) const {
  if (any_matches(exclude, path, project)) return "excluded";
  if (!include.empty() && !any_matches(include, path, project)) return "not included";
  if (pattern && *pattern != "*" && !matches_glob(*pattern, project)) {
    // "*" would match a folder of any path.
    if (!in_folder_called(*pattern, path)) return "other project";
  }
  return {};
}

}  // namespace weft::ingest
