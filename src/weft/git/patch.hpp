// Patch: which lines a commit added to files and removed from them, read from what
// `git diff-tree --stdin -p` and `git diff-index -p` print. The text comes from a repository, which
// may be anybody's: any bytes are read without harm.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::git {

struct PatchedFile {
  std::string path{};  // after the change; before it, if the file was removed
  std::vector<std::string> added{}, removed{};  // lines, without their ends
  friend bool operator==(const PatchedFile&, const PatchedFile&) = default;
};

struct Patch {
  std::string commit{};  // empty for what is staged
  // As `git patch-id --stable` names it: the same for a commit that was rebased without conflicts.
  // Empty if it is not known, or if the commit changed nothing.
  std::string id{};
  std::vector<PatchedFile> files{};  // text files; a renamed one is removed and added
  friend bool operator==(const Patch&, const Patch&) = default;
};

// Patches in the order printed, without their ids. invalid_input if it is no such text.
Result<std::vector<Patch>> parse_patches(std::string_view text);

// The ids by commit, of what `git patch-id` prints. invalid_input if it is no such text.
Result<std::unordered_map<std::string, std::string>> parse_patch_ids(std::string_view text);

}  // namespace weft::git
