#include "weft/formats/json_value_scanner.hpp"

namespace weft::formats {
namespace {

// Deeper brackets are counted, not kept, so that a gigabyte of "[" costs nothing.
constexpr std::size_t kMaxKept = 4096;

}  // namespace

void JsonValueScanner::start() {
  kind_ = Kind::fresh;
  open_.clear();
  deeper_ = 0;
  in_string_ = escaped_ = false;
}

void JsonValueScanner::open(char bracket) {
  if (open_.size() < kMaxKept) {
    open_ += bracket;
  } else {
    ++deeper_;
  }
}

void JsonValueScanner::close(char bracket) {
  if (deeper_ > 0) {
    --deeper_;
    return;
  }
  const std::size_t opener = open_.rfind(bracket == '}' ? '{' : '[');
  if (opener != std::string::npos) open_.resize(opener);
}

std::size_t JsonValueScanner::skip_string(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (escaped_) {
      escaped_ = false;
      ++i;
      continue;
    }
    // By hand: find_first_of() asks its set anew for every byte.
    while (i < bytes.size() && bytes[i] != '"' && bytes[i] != '\\') ++i;
    if (i == bytes.size()) break;
    in_string_ = bytes[i] != '"';
    escaped_ = in_string_;
    ++i;
    if (!in_string_) break;
  }
  return i;
}

JsonValueScanner::Step JsonValueScanner::feed(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (in_string_) {
      i += skip_string(bytes.substr(i));
      if (!in_string_ && kind_ == Kind::quoted) return {i, true};
      continue;
    }
    const char c = bytes[i];
    const bool is_opener = c == '{' || c == '[';
    const bool is_closer = c == '}' || c == ']';
    if (kind_ == Kind::bare && (is_opener || is_closer || c == ',' || c == '"')) return {i, true};
    if (kind_ == Kind::fresh) {
      kind_ = is_opener ? Kind::bracketed : c == '"' ? Kind::quoted : Kind::bare;
    }
    if (c == '"') in_string_ = true;
    if (is_opener) open(c);
    if (is_closer) {
      close(c);
      if (kind_ == Kind::bracketed && is_closed()) return {i + 1, true};
    }
    ++i;
  }
  return {i, false};
}

}  // namespace weft::formats
