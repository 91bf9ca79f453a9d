#include "weft/formats/apis/anthropic/lines.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/apis/anthropic/section.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::anthropic {
namespace {

constexpr std::size_t kMaxKeyBytes = 40;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_key(std::string_view text) {
  if (text.empty() || text.size() > kMaxKeyBytes || !is_letter(text.front())) return false;
  return std::ranges::all_of(text, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-';
  });
}

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

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

std::string normal_key(std::string_view key) {
  std::string normal;
  for (const char c : key) normal += c == ' ' || c == '-' ? '_' : to_lower(c);
  return normal;
}

std::optional<Label> label_of(std::string_view line) {
  // Keys are short: a line of megabytes is not searched through.
  const std::size_t colon = line.substr(0, kMaxKeyBytes + 1).find(':');
  if (colon == std::string_view::npos || !is_key(line.substr(0, colon))) return std::nullopt;
  Label label{.key = normal_key(line.substr(0, colon))};
  const std::string_view value = trim(line.substr(colon + 1));
  if (value.starts_with('"')) {
    const Result<ParsedJson> quoted = parse_json(value);
    if (quoted && quoted->value.is_string()) {
      label.value = view(quoted->value.get_string());
      return label;
    }
  }
  if (!value.empty()) label.value = value;
  return label;
}

void append_label(std::string& out, std::string_view key, std::string_view value) {
  out += key;
  out += ": ";
  const bool is_plain = !value.empty() && trim(value) == value && !value.starts_with('"') &&
                        std::ranges::none_of(value, [](char c) {
                          return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
                        });
  if (is_plain) {
    out += value;
  } else {
    append_canonical_string(out, value);
  }
  out += '\n';
}

std::optional<transcript::Role> role_of(std::string_view label) {
  const std::string name = normal_key(label);
  if (name == "user") return transcript::Role::human;
  return transcript::parse_role(name);
}

std::optional<transcript::Role> role_line(const Line& line) {
  if (line.text.size() > kMaxKeyBytes || !line.text.ends_with(':')) return std::nullopt;
  return role_of(line.text.substr(0, line.text.size() - 1));
}

}  // namespace weft::formats::anthropic
