// FileChanges: what a series of edits made of one file.
//
//   FileChanges file;
//   for (Edit& edit : edits) file.add(std::move(edit));   // of one path, in order
//   file.hunks();                                          // what they come to together
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/edits/edit.hpp"
#include "weft/edits/line_diff.hpp"

namespace weft::edits {

// The content of a file with one more edit. Empty if that cannot be known: `content` is not, or has
// not what the edit replaces.
std::optional<std::string> applied(const std::optional<std::string>& content, const Edit& edit);

class FileChanges {
 public:
  void add(Edit edit);

  enum class Status { added, changed, removed, moved };
  Status status() const;
  const std::string& moved_from() const { return moved_from_; }
  std::size_t edit_count() const { return edits_.size(); }

  // Whether the file is known before the first edit and after the last, so that the hunks are the
  // difference between the two. Otherwise they are those of each edit, without line numbers.
  bool is_whole() const { return before_ && after_; }
  // They point into this.
  std::vector<Hunk> hunks() const;

 private:
  std::vector<Edit> edits_;
  std::string moved_from_;
  std::optional<std::string> before_, after_;
};

}  // namespace weft::edits
