#include "weft/edits/line_origins.hpp"

#include <algorithm>

#include "weft/edits/line_diff.hpp"

namespace weft::edits {
namespace {

std::size_t count_lines(const std::string& text) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

}  // namespace

void LineOrigins::become(std::string text, Origin origin) {
  std::vector<Origin> now;
  now.reserve(count_lines(text));
  std::size_t taken = 0;  // lines of the old text that are dealt with
  const auto keep_up_to = [&](std::size_t line) {
    for (; taken < std::min(line, origins_.size()); ++taken) now.push_back(origins_[taken]);
  };
  for (const Hunk& hunk : diff_lines(text_, text, 0)) {
    keep_up_to(hunk.before_count == 0 ? hunk.before_first : hunk.before_first - 1);
    taken += hunk.before_count;
    now.insert(now.end(), hunk.after_count, origin);
  }
  keep_up_to(origins_.size());
  now.resize(count_lines(text));
  origins_ = std::move(now);
  text_ = std::move(text);
}

}  // namespace weft::edits
