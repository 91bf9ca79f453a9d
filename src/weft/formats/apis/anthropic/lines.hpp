// The lines of a transcript's text form, and the labels that they begin with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/transcript/conversation.hpp"

namespace weft::formats::anthropic {

struct Line {
  std::string_view text;  // trimmed
  std::size_t begin = 0;  // of the trimmed text, in the whole one
  std::uint64_t number = 0;
};

// Walks through the lines of a text that outlives it.
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

// "Key: value". The key is normal (normal_key); a value in JSON's quotes is what
// those quote. Empty for a line of any other kind.
struct Label {
  std::string key;
  std::optional<std::string> value;  // empty where nothing follows the colon
};
std::optional<Label> label_of(std::string_view line);
// As label_of reads it.
void append_label(std::string& out, std::string_view key, std::string_view value);

// The role of a line "Human:"; empty for any other line.
std::optional<transcript::Role> role_line(const Line& line);

}  // namespace weft::formats::anthropic
