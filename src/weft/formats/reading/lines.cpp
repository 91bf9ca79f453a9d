#include "weft/formats/reading/lines.hpp"

#include <algorithm>

#include "weft/formats/reading/text.hpp"

namespace weft::formats {

std::optional<Line> Lines::peek() const { return Lines(*this).next(); }

std::optional<Line> Lines::next() {
  if (at_ >= text_.size()) return std::nullopt;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view whole = text_.substr(at_, end - at_);
  const std::size_t first = whole.find_first_not_of(kBlanks);
  const Line line{trim(whole), at_ + (first == std::string_view::npos ? 0 : first), number_};
  at_ = end + 1;
  ++number_;
  return line;
}

}  // namespace weft::formats
