#include "weft/base/typed/file_lines.hpp"

#include <charconv>

namespace weft {
namespace {

std::optional<std::size_t> parse_line(std::string_view text) {
  std::size_t line = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), line);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return line;
}

}  // namespace

std::optional<FileLines> parse_file_lines(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return FileLines{.file = std::string(text)};
  const std::string_view numbers = text.substr(colon + 1);
  const std::size_t dash = numbers.find('-');
  const auto first = parse_line(numbers.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_line(numbers.substr(dash + 1));
  if (!first || !last) return FileLines{.file = std::string(text)};
  if (*first == 0 || *last < *first) return std::nullopt;
  return FileLines{.file = std::string(text.substr(0, colon)), .first = first, .last = last};
}

}  // namespace weft
