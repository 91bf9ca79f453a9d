// Formats a passage with highlighted words: bold where there are colours,
// otherwise between **, or between ‹ and › in a text that has stars itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

struct Marked {
  std::string text{};  // one line; any characters
  // The highlighted ranges, in code points of the text: [from, to), in order.
  std::vector<std::pair<std::size_t, std::size_t>> marks{};
};

// Safe for terminals, wrapped to at most `columns`: at blanks, and inside a word only if the word
// alone is wider.
std::vector<std::string> laid_out(const Marked& marked, const Style& style, std::size_t columns);

}  // namespace weft::cli
