// Repository: the git repository that a path lies in, found by reading file names only. No program
// is run, and nothing of the repository's configuration is read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "weft/base/result.hpp"

namespace weft::git {

struct Repository {
  std::filesystem::path root;    // the top of the working tree, all links resolved
  std::filesystem::path folder;  // its own git folder
  std::filesystem::path common;  // the git folder that it shares with its other working trees
  friend bool operator==(const Repository&, const Repository&) = default;
};

// The nearest repository above `path`, which is absolute and need not exist. Working trees and
// submodules are repositories. Empty if there is none, or if the path lies in a git folder. denied
// if the repository belongs to another user: a repository can name programs that git runs.
// invalid_input if its file `.git` leads nowhere.
Result<std::optional<Repository>> find_repository(const std::filesystem::path& path);

// The path below the root, with `/` between its components. Precondition: it lies there.
std::string path_in(const Repository& repository, const std::filesystem::path& path);

}  // namespace weft::git
