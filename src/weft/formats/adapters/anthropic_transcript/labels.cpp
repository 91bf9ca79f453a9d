#include "weft/formats/adapters/anthropic_transcript/labels.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/json.hpp"
#include "weft/formats/apis/anthropic/content.hpp"
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

}  // namespace

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

std::optional<transcript::Role> role_line(const Line& line) {
  if (line.text.size() > kMaxKeyBytes || !line.text.ends_with(':')) return std::nullopt;
  return role_of(line.text.substr(0, line.text.size() - 1));
}

}  // namespace weft::formats::anthropic
