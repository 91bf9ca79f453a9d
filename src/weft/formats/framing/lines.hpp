// Iterates over the lines of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::formats {

struct Line {
  std::string_view text;  // trimmed
  std::size_t begin = 0;  // of the trimmed text, in the whole one
  std::uint64_t number = 0;
};

// The text must outlive it.
class Lines {
 public:
  Lines(std::string_view text, std::uint64_t first_number) : text_(text), number_(first_number) {}
  std::optional<Line> next();
  std::optional<Line> peek() const;
  std::string_view from(std::size_t begin) const { return text_.substr(begin); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t number_;
};

}  // namespace weft::formats
