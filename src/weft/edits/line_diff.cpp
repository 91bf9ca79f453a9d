#include "weft/edits/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace weft::edits {
namespace {

// More differences than this would take memory with their square.
constexpr std::ptrdiff_t kMostDifferences = 2'000;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

DiffLine line_of(char sign, std::string_view line) {
  const bool has_end = line.ends_with('\n');
  return {sign, has_end ? line.substr(0, line.size() - 1) : line, has_end};
}

// Equal lines have equal numbers, which are quicker to compare.
class Numbers {
 public:
  std::vector<std::uint32_t> of(const std::vector<std::string_view>& lines) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(lines.size());
    for (const std::string_view line : lines) {
      numbers.push_back(
          known_.try_emplace(line, static_cast<std::uint32_t>(known_.size())).first->second);
    }
    return numbers;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> known_;
};

// The steps from `a` to `b`: '=' both go on, '-' one of `a`, '+' one of `b`. Empty if there are
// more than kMostDifferences.
std::optional<std::string> shortest_steps(const std::vector<std::uint32_t>& a,
                                          const std::vector<std::uint32_t>& b) {
  const auto n = static_cast<std::ptrdiff_t>(a.size());
  const auto m = static_cast<std::ptrdiff_t>(b.size());
  const auto at = [](auto& of, std::ptrdiff_t i) -> auto& {
    return of[static_cast<std::size_t>(i)];
  };
  const std::ptrdiff_t most = std::min(n + m, kMostDifferences);
  // furthest[k + most]: how far of `a` is reached on diagonal k = x - y.
  std::vector<std::ptrdiff_t> furthest(static_cast<std::size_t>(2 * most + 2), 0);
  std::vector<std::vector<std::ptrdiff_t>> rounds;
  std::ptrdiff_t used = -1;
  for (std::ptrdiff_t d = 0; d <= most && used < 0; ++d) {
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      const bool is_down =
          k == -d || (k != d && at(furthest, k - 1 + most) < at(furthest, k + 1 + most));
      std::ptrdiff_t x = is_down ? at(furthest, k + 1 + most) : at(furthest, k - 1 + most) + 1;
      while (x < n && x - k < m && at(a, x) == at(b, x - k)) ++x;
      at(furthest, k + most) = x;
      if (x >= n && x - k >= m) {
        used = d;
        break;
      }
    }
    rounds.emplace_back(furthest.begin() + (most - d), furthest.begin() + (most + d + 1));
  }
  if (used < 0) return std::nullopt;
  std::string steps;  // from the end
  std::ptrdiff_t x = n, y = m;
  for (std::ptrdiff_t d = used; d > 0; --d) {
    // What round d - 1 reached, from diagonal -(d - 1) on.
    const std::vector<std::ptrdiff_t>& before = at(rounds, d - 1);
    const std::ptrdiff_t k = x - y;
    const auto reached = [&](std::ptrdiff_t diagonal) { return at(before, diagonal + d - 1); };
    const bool is_down =
        k == -d ||
        (k != d && k - 1 >= -(d - 1) && k + 1 <= d - 1 && reached(k - 1) < reached(k + 1)) ||
        (k != d && k - 1 < -(d - 1));
    const std::ptrdiff_t from_k = is_down ? k + 1 : k - 1;
    const std::ptrdiff_t from_x = reached(from_k);
    const std::ptrdiff_t begin = is_down ? from_x : from_x + 1;
    steps.append(static_cast<std::size_t>(x - begin), '=');
    steps += is_down ? '+' : '-';
    x = from_x;
    y = from_x - from_k;
  }
  steps.append(static_cast<std::size_t>(x), '=');
  std::ranges::reverse(steps);
  return steps;
}

// All lines of both texts, each with its sign.
std::vector<DiffLine> signed_lines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = lines_of(before), new_lines = lines_of(after);
  std::size_t same = 0, same_end = 0;
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  while (same < shorter && old_lines[same] == new_lines[same]) ++same;
  while (same_end < shorter - same &&
         old_lines.end()[-1 - static_cast<std::ptrdiff_t>(same_end)] ==
             new_lines.end()[-1 - static_cast<std::ptrdiff_t>(same_end)]) {
    ++same_end;
  }
  const auto middle = [&](const std::vector<std::string_view>& lines) {
    return std::vector<std::string_view>(lines.begin() + static_cast<std::ptrdiff_t>(same),
                                         lines.end() - static_cast<std::ptrdiff_t>(same_end));
  };
  const std::vector<std::string_view> a = middle(old_lines), b = middle(new_lines);
  Numbers numbers;
  const std::vector<std::uint32_t> numbers_a = numbers.of(a), numbers_b = numbers.of(b);
  const std::string steps = shortest_steps(numbers_a, numbers_b)
                                .value_or(std::string(a.size(), '-') + std::string(b.size(), '+'));

  std::vector<DiffLine> lines;
  lines.reserve(same + steps.size() + same_end);
  for (std::size_t i = 0; i < same; ++i) lines.push_back(line_of(' ', old_lines[i]));
  std::size_t x = 0, y = 0;
  for (const char step : steps) {
    if (step == '+') {
      lines.push_back(line_of('+', b[y++]));
    } else {
      lines.push_back(line_of(step == '=' ? ' ' : '-', a[x++]));
      if (step == '=') ++y;
    }
  }
  for (std::size_t i = old_lines.size() - same_end; i < old_lines.size(); ++i) {
    lines.push_back(line_of(' ', old_lines[i]));
  }
  return lines;
}

}  // namespace

std::vector<Hunk> diff_lines(std::string_view before, std::string_view after, std::size_t context) {
  std::vector<Hunk> hunks;
  const std::vector<DiffLine> lines = signed_lines(before, after);
  std::size_t before_line = 0, after_line = 0;  // lines that lie behind
  std::size_t taken = 0;                        // up to here lines are in a hunk
  const auto is_changed = [&](std::size_t i) { return lines[i].sign != ' '; };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_changed(i)) {
      const std::size_t from = std::max(taken, i < context ? 0 : i - context);
      // Hunks that touch are one.
      if (hunks.empty() || from > taken) {
        const std::size_t back = i - from;
        hunks.push_back(
            {.before_first = before_line - back + 1, .after_first = after_line - back + 1});
      }
      std::size_t end = i + 1;
      for (std::size_t next = end; next < lines.size() && next - end < 2 * context + 1; ++next) {
        if (is_changed(next)) end = next + 1;
      }
      const std::size_t until = std::min(lines.size(), end + context);
      Hunk& hunk = hunks.back();
      for (std::size_t j = from; j < until; ++j) hunk.lines.push_back(lines[j]);
      for (; i < until; ++i) {
        before_line += lines[i].sign != '+';
        after_line += lines[i].sign != '-';
      }
      --i;
      taken = until;
    } else {
      ++before_line;
      ++after_line;
    }
  }
  for (Hunk& hunk : hunks) {
    for (const DiffLine& line : hunk.lines) {
      hunk.before_count += line.sign != '+';
      hunk.after_count += line.sign != '-';
    }
    if (hunk.before_count == 0) --hunk.before_first;
    if (hunk.after_count == 0) --hunk.after_first;
  }
  return hunks;
}

std::string with_plain_ends(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_end = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!is_end) out += text[i];
  }
  return out;
}

}  // namespace weft::edits
