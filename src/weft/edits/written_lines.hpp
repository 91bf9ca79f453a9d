// The lines that an edit wrote, as hashes: what the index of edits keeps of them, and what the
// lines of a file are looked up by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/edits/edit.hpp"

namespace weft::edits {

// A line without its white space: two lines of which it is equal count as the same.
std::string without_space(std::string_view line);

// The hash of a line without its white space, so that a formatter that only moves code keeps its
// origin. Two lines with one hash are possible: compare the texts before naming an edit.
std::uint32_t line_hash(std::string_view line);

// Whether a line says enough to be recognised by itself: it has at least eight letters, digits or
// underscores. `}` and `else:` stand everywhere.
bool is_telling(std::string_view line);

// The hashes of the lines that are in the file because of this edit, sorted, each once. Lines that
// the edit names but does not change are not among them. Blank lines are not either.
std::vector<std::uint32_t> written_lines(const Edit& edit);

}  // namespace weft::edits
