// Reads lines of a file as people type them: FILE, FILE:LINE or FILE:FIRST-LAST.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct FileLines {
  std::string file;
  // From 1, both included. Empty: the whole file.
  std::optional<std::size_t> first{}, last{};
  friend bool operator==(const FileLines&, const FileLines&) = default;
};

// Anything that does not end in line numbers is a file. Empty if the numbers are none: line 0, or a
// last line before the first.
std::optional<FileLines> parse_file_lines(std::string_view text);

}  // namespace weft
