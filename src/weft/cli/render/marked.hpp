// A passage with words that stand out, for people: in bold where there are colours, between **
// where there are none.
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
  // What stands out, in code points of the text: [from, to), in order.
  std::vector<std::pair<std::size_t, std::size_t>> marks{};
};

// Safe for terminals, on as many lines as it takes for none to be wider than `columns`: broken at
// blanks, and inside of a word only where it alone is wider.
std::vector<std::string> laid_out(const Marked& marked, const Style& style, std::size_t columns);

}  // namespace weft::cli
