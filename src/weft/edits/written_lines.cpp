#include "weft/edits/written_lines.hpp"

#include <xxhash.h>

#include <algorithm>
#include <iterator>

#include "weft/base/ascii.hpp"
#include "weft/edits/line_diff.hpp"

namespace weft::edits {
namespace {

constexpr int kTellingCharacters = 8;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Bytes of characters beyond ASCII are letters here.
bool is_word(char c) {
  const char lower = to_lower(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

void add_written(std::string_view before, std::string_view after, std::vector<std::uint32_t>& out) {
  for (const Hunk& hunk : diff_lines(before, after, 0)) {
    for (const DiffLine& line : hunk.lines) {
      if (line.sign == '+' && !std::ranges::all_of(line.text, is_space)) {
        out.push_back(line_hash(line.text));
      }
    }
  }
}

}  // namespace

std::string without_space(std::string_view line) {
  std::string left;
  left.reserve(line.size());
  std::ranges::copy_if(line, std::back_inserter(left), [](char c) { return !is_space(c); });
  return left;
}

std::uint32_t line_hash(std::string_view line) {
  const std::string text = without_space(line);
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
}

bool is_telling(std::string_view line) {
  return std::ranges::count_if(line, is_word) >= kTellingCharacters;
}

std::vector<std::uint32_t> written_lines(const Edit& edit) {
  std::vector<std::uint32_t> lines;
  if (edit.kind == Edit::Kind::write && edit.after) {
    add_written(edit.before ? *edit.before : std::string_view(), *edit.after, lines);
  }
  for (const Change& change : edit.changes) add_written(change.before, change.after, lines);
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  return lines;
}

}  // namespace weft::edits
