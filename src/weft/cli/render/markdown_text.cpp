// Only code blocks that begin at the first column are followed: one that is indented may belong to
// a list, whose end this does not know. So an indented fence is escaped, and what a renderer takes
// for code is then what is taken for code here.
#include "weft/cli/render/markdown_text.hpp"

#include <algorithm>

namespace weft::cli {
namespace {

constexpr std::size_t kMaxIndent = 3;  // more is code

std::size_t run_of(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && line[end] == line[at]) ++end;
  return end - at;
}

// The length of a fence at `at`; 0 if no fence begins there.
std::size_t fence_at(std::string_view line, std::size_t at) {
  if (at >= line.size() || (line[at] != '`' && line[at] != '~')) return 0;
  const std::size_t length = run_of(line, at);
  if (length < 3) return 0;
  // With backticks in it, such a line is not the beginning of a code block but text.
  const bool is_text = line[at] == '`' && line.find('`', at + length) != std::string_view::npos;
  return is_text ? 0 : length;
}

bool is_blank_from(std::string_view line, std::size_t at) {
  return line.find_first_not_of(" \t", at) == std::string_view::npos;
}

// "===" and "---" below a line make it a heading.
bool is_underline(std::string_view line, std::size_t at) {
  const char c = line[at];
  return (c == '=' || c == '-') && is_blank_from(line, at + run_of(line, at));
}

// "<b", "</b", "<!--", "<?": the beginning of HTML, or of a link.
bool begins_html(std::string_view line, std::size_t at) {
  if (line[at] != '<' || at + 1 == line.size()) return false;
  const char next = line[at + 1];
  return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' ||
         next == '!' || next == '?';
}

void append_escaped(std::string& out, std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    const bool at_start = at == first && first <= kMaxIndent;
    const bool is_structure = at_start && (c == '#' || c == '<' || c == '[' ||
                                           is_underline(line, at) || fence_at(line, at) > 0);
    if (is_structure || begins_html(line, at)) out += '\\';
    out += c;
  }
}

}  // namespace

std::string as_markdown_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char fence = 0;  // of the open code block
  std::size_t length = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (fence != 0) {
      out += line;
      const std::size_t at = std::min(line.find_first_not_of(' '), line.size());
      if (at < line.size() && at <= kMaxIndent && line[at] == fence && run_of(line, at) >= length &&
          is_blank_from(line, at + run_of(line, at))) {
        fence = 0;
      }
    } else if (const std::size_t opened = fence_at(line, 0); opened > 0) {
      fence = line[0];
      length = opened;
      out += line;
    } else {
      append_escaped(out, line);
    }
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (fence != 0) out.append(out.ends_with('\n') ? "" : "\n").append(length, fence);
  return out;
}

}  // namespace weft::cli
