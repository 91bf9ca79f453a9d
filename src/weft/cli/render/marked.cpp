#include "weft/cli/render/marked.hpp"

#include "weft/base/utf8.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

// Without colours a mark stands around a word: stars, or where the text has stars itself, angles.
struct Signs {
  std::string_view begin, end;
};
constexpr Signs kStars = {"**", "**"};
constexpr Signs kAngles = {"‹", "›"};

Signs signs_for(std::string_view text) {
  return text.find(kStars.begin) == std::string_view::npos ? kStars : kAngles;
}

// A character, or the blank between two words.
struct Cell {
  std::string text;
  std::size_t width = 0;  // including its stars
  bool is_marked = false;
  bool is_blank = false;
};

std::size_t bytes_of_first(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && is_continuation(text[bytes])) ++bytes;
  return bytes;
}

std::vector<Cell> cells_of(const Marked& marked, bool has_signs) {
  const Signs signs = signs_for(marked.text);
  std::string storage;
  std::size_t repairs = 0;
  std::string_view text = repair_utf8(marked.text, storage, repairs);
  std::vector<Cell> cells;
  auto mark = marked.marks.begin();
  for (std::size_t at = 0; !text.empty(); ++at) {
    while (mark != marked.marks.end() && at >= mark->second) ++mark;
    const std::size_t bytes = bytes_of_first(text);
    Cell cell{.text = made_safe(text.substr(0, bytes))};
    cell.is_marked = mark != marked.marks.end() && at >= mark->first;
    cell.is_blank = cell.text == " " || cell.text == "\n" || cell.text == "\t";
    if (cell.is_blank) cell.text = " ";
    cell.width = display_width(cell.text);
    if (has_signs && cell.is_marked) {
      cell.width += (at == mark->first ? display_width(signs.begin) : 0) +
                    (at + 1 == mark->second ? display_width(signs.end) : 0);
    }
    cells.push_back(std::move(cell));
    text.remove_prefix(bytes);
  }
  return cells;
}

std::string to_line(const std::vector<Cell>& cells, std::size_t begin, std::size_t end,
                    const Style& style, Signs signs) {
  std::string line, run;
  const auto close = [&](bool is_marked) {
    if (run.empty()) return;
    if (!is_marked) {
      line += run;
    } else if (style.colours) {
      line += style.paint(Colour::bold, run);
    } else {
      line += std::string(signs.begin) + run + std::string(signs.end);
    }
    run.clear();
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && cells[i].is_marked != cells[i - 1].is_marked) close(cells[i - 1].is_marked);
    run += cells[i].text;
  }
  if (end > begin) close(cells[end - 1].is_marked);
  return line;
}

}  // namespace

std::vector<std::string> laid_out(const Marked& marked, const Style& style, std::size_t columns) {
  const std::vector<Cell> cells = cells_of(marked, !style.colours);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < cells.size()) {
    if (cells[begin].is_blank) {
      ++begin;
      continue;
    }
    std::size_t end = begin, width = 0, last_blank = begin;
    while (end < cells.size() && (end == begin || width + cells[end].width <= columns)) {
      if (cells[end].is_blank) last_blank = end;
      width += cells[end++].width;
    }
    const bool is_cut = end < cells.size() && !cells[end].is_blank;
    if (is_cut && last_blank > begin) end = last_blank;
    const std::size_t next = end;
    while (end > begin && cells[end - 1].is_blank) --end;
    lines.push_back(to_line(cells, begin, end, style, signs_for(marked.text)));
    begin = next;
  }
  return lines;
}

}  // namespace weft::cli
