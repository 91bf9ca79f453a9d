// LandedEdits: which commits of a repository hold edits of its files.
//
// A commit holds an edit if it is the first commit of the file at or after the edit, by author
// times, or one with an older author time that was amended after the edit; and if it adds a line
// that the edit wrote, or removes one that it removed. Lines that say too little to be recognised
// do not count.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/edits/edit.hpp"
#include "weft/git/git.hpp"

namespace weft::query {

class LandedEdits {
 public:
  // It outlives this.
  explicit LandedEdits(const git::Git& git) : git_(git) {}

  // An edit of the file with these names. `commits` are known to hold it: then no others are looked
  // for. Returns its number.
  std::size_t add(const edits::Edit& edit, Millis time, const std::vector<std::string>& names,
                  std::set<std::string> commits);
  // Asks git.
  Status find();

  // The commits that hold an edit.
  const std::set<std::string>& commits_of(std::size_t edit) const { return edits_[edit].commits; }
  // Of every commit that holds one: what it changed, as far as git says so.
  const std::map<std::string, git::Patch>& patches() const { return patches_; }

 private:
  struct Landing {
    const edits::Edit* edit = nullptr;
    Millis time = 0;
    std::vector<std::string> names{};
    std::set<std::string> commits{}, candidates{};
  };
  Status find_candidates();
  static bool holds(const git::Patch& patch, const Landing& landing);

  const git::Git& git_;
  std::vector<Landing> edits_;
  std::map<std::string, git::Patch> patches_;  // by commit
};

}  // namespace weft::query
