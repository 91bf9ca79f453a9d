// SameFile: whether the path that an edit names is a file of a repository, wherever the repository
// stood when the edit was made.
//
// Worktrees, containers and other machines have other roots. So paths are compared from the end:
// the path below the repository's root must be the end of the edited path, and what remains of that
// one must be a root that can be this repository's:
//
// | what remains | counts |
// |---|---|
// | the root itself, or another working tree of the repository | yes |
// | the root of another clone of it, by the addresses of their remotes | yes |
// | any other folder of this machine | no: a file of the same name elsewhere |
// | a folder below the root | no, unless its path names worktrees |
// | a folder that this machine does not have | yes, for a file in a folder; a file at the top
// counts
//   only if that folder has the name of the root, or names worktrees |
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "weft/git/repository.hpp"

namespace weft::query {

class SameFile {
 public:
  // Without a repository only `file` itself, an absolute path, is the same.
  SameFile(std::optional<git::Repository> repository, std::filesystem::path file)
      : repository_(std::move(repository)), file_(std::move(file)) {}

  // `edited` is a path as a call names it, `directory` the working directory of its conversation,
  // or empty. `path` is that of a file below the root of the repository.
  bool operator()(std::string_view edited, std::string_view directory, std::string_view path);

 private:
  bool can_be_root(const std::filesystem::path& folder, bool is_in_folder);
  bool judge_root(const std::filesystem::path& folder, bool is_in_folder) const;

  std::optional<git::Repository> repository_;
  std::filesystem::path file_;
  std::map<std::pair<std::string, bool>, bool> judged_;  // folders are looked at once
};

}  // namespace weft::query
