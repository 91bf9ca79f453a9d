#include "weft/net/http_head.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "weft/net/ascii.hpp"

namespace weft::net {
namespace {

constexpr std::string_view kBlanks = " \t";

bool is_token(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (to_lower(c) >= 'a' && to_lower(c) <= 'z') ||
           kOthers.find(c) != std::string_view::npos;
  });
}

// The line at `from` without its end. Moves `from` to the next line.
std::string_view next_line(std::string_view text, std::size_t& from) {
  const std::size_t end = std::min(text.find('\n', from), text.size());
  std::string_view line = text.substr(from, end - from);
  from = end + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_version(std::string_view version) { return version == "HTTP/1.1" || version == "HTTP/1.0"; }

std::string_view last_of_list(std::string_view list) {
  return trim(list.substr(list.rfind(',') + 1));  // all of it, if there is no comma
}

}  // namespace

bool MessageHead::parse_fields(std::size_t from) {
  const std::string_view text = text_;
  while (from < text.size()) {
    const std::size_t begin = from;
    const std::string_view line = next_line(text, from);
    if (line.empty()) return from >= text.size();
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
    std::size_t first = line.find_first_not_of(kBlanks, colon + 1);
    if (first == std::string_view::npos) first = line.size();
    const std::size_t last = line.find_last_not_of(kBlanks);
    fields_.push_back({.name = to_lower(line.substr(0, colon)),
                       .at = begin + first,
                       .size = first == line.size() ? 0 : last + 1 - first});
  }
  return false;
}

std::optional<MessageHead> MessageHead::parse_request(std::string text) {
  MessageHead head;
  head.text_ = std::move(text);
  std::size_t next = 0;
  const std::string_view line = next_line(head.text_, next);
  const std::size_t space = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (space == std::string_view::npos || last <= space + 1) return std::nullopt;
  head.method_ = line.substr(0, space);
  head.target_at_ = space + 1;
  head.target_size_ = last - space - 1;
  const bool is_valid = is_version(line.substr(last + 1)) && is_token(head.method_) &&
                        head.target().find_first_of(" \t") == std::string_view::npos;
  if (!is_valid || !head.parse_fields(next)) return std::nullopt;
  return head;
}

std::optional<MessageHead> MessageHead::parse_response(std::string text) {
  MessageHead head;
  head.text_ = std::move(text);
  std::size_t next = 0;
  const std::string_view line = next_line(head.text_, next);
  if (line.size() < 12 || line[8] != ' ' || (line.size() > 12 && line[12] != ' ')) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(line.data() + 9, line.data() + 12, head.status_);
  if (!is_version(line.substr(0, 8)) || error != std::errc() || end != line.data() + 12 ||
      head.status_ < 100) {
    return std::nullopt;
  }
  if (!head.parse_fields(next)) return std::nullopt;
  return head;
}

std::string_view MessageHead::target() const {
  return std::string_view(text_).substr(target_at_, target_size_);
}

std::string_view MessageHead::value_of(const Field& field) const {
  return std::string_view(text_).substr(field.at, field.size);
}

std::optional<std::string_view> MessageHead::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &Field::name);
  if (found == fields_.end()) return std::nullopt;
  return value_of(*found);
}

std::vector<std::string_view> MessageHead::find_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Field& field : fields_) {
    if (field.name == name) values.push_back(value_of(field));
  }
  return values;
}

MessageHead::Length MessageHead::length() const {
  Length length;
  for (const Field& field : fields_) {
    const std::string_view value = value_of(field);
    if (field.name == "transfer-encoding") {
      length.is_chunked = equals_ignoring_case(last_of_list(value), "chunked");
      // Any other coding ends with the connection.
      if (!length.is_chunked) length.is_invalid = true;
    } else if (field.name == "content-length") {
      std::uint64_t bytes = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bytes);
      const bool is_number = error == std::errc() && end == value.data() + value.size();
      if (!is_number || (length.bytes && *length.bytes != bytes)) length.is_invalid = true;
      length.bytes = bytes;
    }
  }
  if (length.is_chunked) length.bytes.reset();
  return length;
}

std::string MessageHead::retargeted(std::string_view host, std::string_view prefix) const {
  std::string out = text_;
  // Backwards, so that the positions of earlier fields stay valid.
  bool has_host = false;
  for (auto field = fields_.rbegin(); field != fields_.rend(); ++field) {
    if (field->name != "host") continue;
    out.replace(field->at, field->size, host);
    has_host = true;
  }
  if (!has_host) {
    const std::size_t line = text_.find('\n') + 1;
    const std::string_view end = line >= 2 && text_[line - 2] == '\r' ? "\r\n" : "\n";
    out.insert(line, "Host: " + std::string(host) + std::string(end));
  }
  if (target().starts_with('/')) out.insert(target_at_, prefix);
  return out;
}

}  // namespace weft::net
