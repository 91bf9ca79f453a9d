// The difference of two texts by lines, as `diff -u` shows it: Myers' algorithm, which finds a
// shortest one.
//
//   for (const Hunk& hunk : diff_lines("a\nb\n", "a\nc\n")) …   // " a", "-b", "+c"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::edits {

struct DiffLine {
  char sign = ' ';        // ' ' in both, '-' before, '+' after
  std::string_view text;  // without its end; points into one of the texts
  bool has_end = true;    // false: the text ends here without a newline
  friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

// Lines that differ, and those around them. The first line is 1; where a side has no lines, its
// `first` is the line before.
struct Hunk {
  std::size_t before_first = 0, before_count = 0;
  std::size_t after_first = 0, after_count = 0;
  std::vector<DiffLine> lines{};
};

// The text with each line end as a newline alone: the same lines for programs that convert them.
std::string with_plain_ends(std::string_view text);

// Hunks in order, none if the texts are equal. Texts that differ in thousands of lines are compared
// coarsely: what lies between the first and the last difference is replaced as a whole.
std::vector<Hunk> diff_lines(std::string_view before, std::string_view after,
                             std::size_t context = 3);

}  // namespace weft::edits
