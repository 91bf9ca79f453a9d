#include "weft/cli/render/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft::cli {
namespace {

constexpr std::size_t kContext = 3;
// More lines than settings have: beyond this the whole text is shown as replaced.
constexpr std::size_t kMaxLines = 5'000;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Line {
  char sign;  // ' ', '-' or '+'
  std::string_view text;
};

// Along the longest common subsequence.
std::vector<Line> aligned(const std::vector<std::string_view>& before,
                          const std::vector<std::string_view>& after) {
  const std::size_t n = before.size(), m = after.size();
  std::vector<std::vector<std::uint32_t>> common;
  if (n <= kMaxLines && m <= kMaxLines) {
    common.assign(n + 1, std::vector<std::uint32_t>(m + 1));
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = m; j-- > 0;) {
        common[i][j] = before[i] == after[j] ? common[i + 1][j + 1] + 1
                                             : std::max(common[i + 1][j], common[i][j + 1]);
      }
    }
  }
  std::vector<Line> lines;
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    const bool is_same = !common.empty() && i < n && j < m && before[i] == after[j];
    const bool goes = i < n && (j == m || common.empty() || common[i + 1][j] >= common[i][j + 1]);
    if (is_same) {
      lines.push_back({' ', before[i]});
      ++i, ++j;
    } else if (goes) {
      lines.push_back({'-', before[i++]});
    } else {
      lines.push_back({'+', after[j++]});
    }
  }
  return lines;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after) {
  const std::vector<Line> lines = aligned(lines_of(before), lines_of(after));
  std::string out;
  std::size_t shown = 0;  // lines before this one are printed or left out
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].sign == ' ') continue;
    std::size_t from = i > kContext ? i - kContext : 0;
    if (from > shown) out += "  …\n";
    from = std::max(from, shown);
    std::size_t to = i;  // the last changed line of this group
    for (std::size_t k = i; k < lines.size() && k <= to + kContext; ++k) {
      if (lines[k].sign != ' ') to = k;
    }
    to = std::min(to + kContext + 1, lines.size());
    for (; from < to; ++from) {
      out += lines[from].sign;
      out += ' ';
      out += lines[from].text;
      out += '\n';
    }
    shown = to;
    i = to - 1;
  }
  if (shown > 0 && shown < lines.size()) out += "  …\n";
  return out;
}

}  // namespace weft::cli
