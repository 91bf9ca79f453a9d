// The edits that a tool call makes to files, as the lines of a difference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::cli {

struct EditLine {
  char sign = ' ';  // '+', '-', ' ', or '@' for a line that names a file or a place
  std::string text{};
};

struct Edits {
  std::vector<EditLine> lines{};
  std::uint64_t added = 0, removed = 0;

  bool empty() const { return lines.empty(); }
};

// For the content of a tool_request. Files are named where the arguments have no path of their own,
// as in patches. Empty if the call edits nothing, or in a way that edits/edit.hpp does not know.
Edits edits_of(const json::object& content);

}  // namespace weft::cli
