#include "weft/cli/render/line_diff.hpp"

#include <algorithm>

#include "weft/edits/line_diff.hpp"

namespace weft::cli {

std::string line_diff(std::string_view before, std::string_view after) {
  std::string out;
  std::size_t next = 1;  // the first line of `before` behind what is printed
  for (const edits::Hunk& hunk : edits::diff_lines(before, after)) {
    const std::size_t first = std::max<std::size_t>(hunk.before_first, 1);
    if (first > next) out += "  …\n";
    next = first + hunk.before_count;
    for (const edits::DiffLine& line : hunk.lines) {
      out += line.sign;
      out.append(" ").append(line.text).append("\n");
    }
  }
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  if (!out.empty() && next <= lines) out += "  …\n";
  return out;
}

}  // namespace weft::cli
