#include "weft/edits/line_origins.hpp"

#include <algorithm>

#include "weft/edits/line_diff.hpp"
#include "weft/edits/written_lines.hpp"

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
  std::vector<std::pair<std::string, Origin>> gone;
  for (const Hunk& hunk : diff_lines(text_, text, 0)) {
    keep_up_to(hunk.before_count == 0 ? hunk.before_first : hunk.before_first - 1);
    for (const DiffLine& line : hunk.lines) {
      const bool is_known = origin && is_telling(line.text);
      if (line.sign == '+') {
        now.push_back(is_known ? put_back(line.text).value_or(origin) : origin);
      } else {
        if (is_known && taken < origins_.size()) {
          gone.emplace_back(without_space(line.text), origins_[taken]);
        }
        ++taken;
      }
    }
  }
  keep_up_to(origins_.size());
  now.resize(count_lines(text));
  for (auto& [line, was] : gone) taken_away_[std::move(line)].push_back(was);
  origins_ = std::move(now);
  text_ = std::move(text);
}

// The origin that a line had which was taken away before; empty if none was.
std::optional<LineOrigins::Origin> LineOrigins::put_back(std::string_view line) {
  const auto found = taken_away_.find(without_space(line));
  if (found == taken_away_.end() || found->second.empty()) return std::nullopt;
  const Origin origin = found->second.back();
  found->second.pop_back();
  return origin;
}

}  // namespace weft::edits
