#include "weft/cli/read/markdown.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/cli/read/inline_markdown.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  const std::size_t end = text.find_last_not_of(" \t\r");
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

// "| a | b |" as its cells.
std::optional<std::vector<std::string>> cells_of(std::string_view line) {
  line = trimmed(line);
  if (line.size() < 2 || line.front() != '|' || line.back() != '|') return std::nullopt;
  line = line.substr(1, line.size() - 2);
  std::vector<std::string> cells;
  while (true) {
    std::size_t end = line.find('|');
    while (end != std::string_view::npos && end > 0 && line[end - 1] == '\\') {
      end = line.find('|', end + 1);
    }
    cells.emplace_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

bool is_rule_row(const std::vector<std::string>& cells) {
  return std::ranges::all_of(cells, [](const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("-:") == std::string::npos;
  });
}

struct ListItem {
  std::size_t indent;      // blanks before the sign
  std::string sign;        // "• ", "12. "
  std::string_view words;  // after it
};
std::optional<ListItem> list_item(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::string_view rest = line.substr(indent);
  if (rest.size() < 2) return std::nullopt;
  if ((rest[0] == '-' || rest[0] == '*' || rest[0] == '+') && rest[1] == ' ') {
    rest = trimmed(rest.substr(2));
    if (rest.starts_with("[ ] ")) return ListItem{indent, "☐ ", rest.substr(4)};
    if (rest.starts_with("[x] ")) return ListItem{indent, "☑ ", rest.substr(4)};
    return ListItem{indent, "• ", rest};
  }
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 9 || digits + 1 >= rest.size()) return std::nullopt;
  if ((rest[digits] != '.' && rest[digits] != ')') || rest[digits + 1] != ' ') return std::nullopt;
  return ListItem{indent, std::string(rest.substr(0, digits + 2)),
                  trimmed(rest.substr(digits + 2))};
}

// A line of one sign, three or more: "---".
bool is_rule(std::string_view line) {
  line = trimmed(line);
  return line.size() >= 3 && (line[0] == '-' || line[0] == '*' || line[0] == '_') &&
         line.find_first_not_of(line[0]) == std::string_view::npos;
}

class Renderer {
 public:
  Renderer(const Page& page, const LineSink& print) : page_(page), print_(print) {}

  void line(std::string_view text) {
    if (in_code()) return code(text);
    const std::string_view words = trimmed(text);
    if (words.starts_with("```") || words.starts_with("~~~")) {
      end_table();
      fence_ = words.substr(0, std::min(words.find_first_not_of(words[0]), words.size()));
      is_diff_ = words.substr(fence_.size()) == "diff";
      if (!page_.style.colours) print_(page_.indent + std::string(words));
      return;
    }
    if (auto cells = cells_of(text)) {
      table_.push_back(*std::move(cells));
      return;
    }
    end_table();
    if (words.empty()) return print_("");
    // Without colours the marks say what a line is.
    if (!page_.style.colours) return paragraph(without_tabs(text), Colour::none, page_.indent);
    if (heading(words) || quote(words) || rule(words) || item(text)) return;
    paragraph(without_tabs(text), Colour::none, page_.indent);
  }

  void finish() { end_table(); }

 private:
  bool in_code() const { return !fence_.empty(); }

  void put(const Spans& spans, const Indent& indent) {
    for (const std::string& one : wrapped(spans, page_.style, page_.columns, indent)) print_(one);
  }
  void paragraph(std::string_view words, Colour colour, const std::string& front) {
    const std::size_t blanks = std::min<std::size_t>(words.find_first_not_of(' '), 8);
    put(spans_of(words, colour), {front, front + std::string(blanks, ' ')});
  }
  Spans spans_of(std::string_view words, Colour colour) const {
    if (!page_.style.colours) return {{std::string(words), colour}};
    return parse_inline(words, colour);
  }

  void code(std::string_view text) {
    const std::string_view words = trimmed(text);
    if (words.starts_with(fence_) && words.find_first_not_of(fence_[0]) == std::string_view::npos) {
      fence_.clear();
      if (!page_.style.colours) print_(page_.indent + std::string(words));
      return;
    }
    const Colour colour = !is_diff_                ? Colour::cyan
                          : words.starts_with('+') ? Colour::green
                          : words.starts_with('-') ? Colour::red
                                                   : Colour::none;
    const std::string front = page_.indent + (page_.style.colours ? "    " : "");
    put({{without_tabs(text), colour}}, {front, front + "  "});
  }

  bool heading(std::string_view words) {
    const std::size_t level = std::min(words.find_first_not_of('#'), words.size());
    if (level == 0 || level > 6 || level >= words.size() || words[level] != ' ') return false;
    put({{std::string(trimmed(words.substr(level))), Colour::bold}}, {page_.indent, page_.indent});
    return true;
  }
  bool quote(std::string_view words) {
    if (!words.starts_with('>')) return false;
    const std::string front = page_.indent + page_.style.paint(Colour::faint, "▏ ");
    put(parse_inline(trimmed(words.substr(1)), Colour::faint), {front, front});
    return true;
  }
  bool rule(std::string_view words) {
    if (!is_rule(words)) return false;
    print_(page_.indent + page_.style.paint(Colour::faint, "────────"));
    return true;
  }
  bool item(std::string_view text) {
    const std::string line = without_tabs(text);
    const auto found = list_item(line);
    if (!found) return false;
    const std::string front = page_.indent + std::string(found->indent, ' ');
    put(parse_inline(found->words),
        {front + found->sign, front + std::string(display_width(found->sign), ' ')});
    return true;
  }

  void end_table() {
    if (table_.empty()) return;
    std::size_t columns = 0;
    for (const auto& row : table_) columns = std::max(columns, row.size());
    const bool has_titles = table_.size() > 1 && is_rule_row(table_[1]);
    std::vector<std::size_t> widths(columns);
    for (const auto& row : table_) {
      if (is_rule_row(row)) continue;
      for (std::size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], painted_width(shown(row[i])));
      }
    }
    std::size_t total = painted_width(page_.indent);
    for (const std::size_t width : widths) total += width + 3;
    const bool fits = total <= page_.columns;
    for (std::size_t r = 0; r < table_.size(); ++r) {
      if (is_rule_row(table_[r])) continue;
      print_row(table_[r], fits ? widths : std::vector<std::size_t>(columns),
                has_titles && r == 0 ? Colour::bold : Colour::none);
    }
    table_.clear();
  }
  // As it will look, in one colour: for its width.
  std::string shown(const std::string& cell) const {
    std::string plain;
    for (const Span& span : spans_of(cell, Colour::none)) plain += span.text;
    return plain;
  }
  void print_row(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                 Colour colour) {
    Spans line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line.push_back({" │ ", Colour::faint});
      const std::size_t width = painted_width(shown(row[i]));
      for (Span& span : spans_of(row[i], colour)) line.push_back(std::move(span));
      if (i + 1 < row.size() && width < widths[i]) {
        line.push_back({std::string(widths[i] - width, ' ')});
      }
    }
    put(line, {page_.indent, page_.indent + "  "});
  }

  const Page& page_;
  const LineSink& print_;
  std::string fence_;  // of the open code block
  bool is_diff_ = false;
  std::vector<std::vector<std::string>> table_;  // rows that are not printed yet
};

// Line by line, each made safe.
void each_line(std::string_view text, const std::function<void(std::string_view)>& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(made_safe(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

void render_markdown(std::string_view text, const Page& page, const LineSink& print) {
  Renderer renderer(page, print);
  each_line(text, [&](std::string_view line) { renderer.line(line); });
  renderer.finish();
}

void render_plain(std::string_view text, const Page& page, Colour colour, const LineSink& print) {
  each_line(text, [&](std::string_view line) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) return print("");
    for (const std::string& one : wrapped({{without_tabs(line), colour}}, page.style, page.columns,
                                          {page.indent, page.indent})) {
      print(one);
    }
  });
}

}  // namespace weft::cli
