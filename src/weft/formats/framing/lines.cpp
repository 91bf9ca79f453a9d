#include "weft/formats/framing/lines.hpp"

#include <algorithm>

namespace weft::formats {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

std::optional<Line> Lines::peek() const { return Lines(*this).next(); }

std::optional<Line> Lines::next() {
  if (at_ >= text_.size()) return std::nullopt;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view whole = text_.substr(at_, end - at_);
  const std::size_t first = std::min(whole.find_first_not_of(kBlanks), whole.size());
  const std::string_view trimmed = whole.substr(first, whole.find_last_not_of(kBlanks) + 1 - first);
  const Line line{trimmed, at_ + (trimmed.empty() ? 0 : first), number_};
  at_ = end + 1;
  ++number_;
  return line;
}

}  // namespace weft::formats
