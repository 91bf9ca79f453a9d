#include "weft/cli/render/table.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kGap = 2;
// The minimum width of a flexible column; below it the line runs over.
constexpr std::size_t kLeast = 8;

}  // namespace

void Table::add(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths(const Style& style) const {
  std::vector<std::size_t> widths(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths[i] = display_width(columns_[i].title);
    for (const auto& row : rows_) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  if (style.width == Style::kUnlimited) return widths;
  std::size_t total = std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
  // The widest flexible column shrinks first.
  while (total > style.width) {
    std::size_t widest = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].flexible || widths[i] <= kLeast) continue;
      if (widest == columns_.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == columns_.size()) break;
    --widths[widest];
    --total;
  }
  return widths;
}

std::string Table::str(const Style& style) const {
  const std::vector<std::size_t> widths_now = widths(style);
  std::string out;
  const auto add_line = [&](const auto& cell_at, const auto& painted) {
    std::string blanks;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = fitted(cell_at(i), widths_now[i]);
      const std::size_t spare = widths_now[i] - std::min(widths_now[i], display_width(cell));
      if (columns_[i].align == Align::right) blanks.append(spare, ' ');
      // Blanks are written before the next non-empty cell: no line ends in them.
      if (!cell.empty()) {
        out += std::exchange(blanks, {});
        out += painted(i, cell);
      }
      if (columns_[i].align == Align::left) blanks.append(spare, ' ');
      blanks.append(kGap, ' ');
    }
    out += '\n';
  };
  if (std::ranges::any_of(columns_, [](const Column& column) { return !column.title.empty(); })) {
    add_line(
        [&](std::size_t i) -> const std::string& { return columns_[i].title; },
        [&](std::size_t, const std::string& cell) { return style.paint(Colour::faint, cell); });
  }
  for (const auto& row : rows_) {
    add_line([&](std::size_t i) -> const std::string& { return row[i]; },
             [&](std::size_t i, const std::string& cell) {
               return style.paint(columns_[i].colour, style.link(columns_[i].link_to, cell));
             });
  }
  return out;
}

}  // namespace weft::cli
