#include "weft/formats/reading/members.hpp"

#include <algorithm>
#include <cmath>

namespace weft::formats {
namespace {

// Numbers up to here are seconds: as milliseconds they would be moments of 1970 to 1973.
constexpr Millis kMaxSeconds = 100'000'000'000;
constexpr Millis kMaxMillis = 100'000'000'000'000;  // the year 5138

}  // namespace

std::string text_in(const json::object& object, std::string_view key) {
  return std::string(find_string(object, key).value_or(""));
}

std::optional<std::string> find_words(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  if (!text || text->empty()) return std::nullopt;
  return std::string(*text);
}

std::optional<std::string> find_words(const json::object& object, std::string_view key,
                                      std::string_view inner) {
  const json::object* found = find_object(object, key);
  return found == nullptr ? std::nullopt : find_words(*found, inner);
}

std::optional<std::string_view> find_name(const json::object& object, std::string_view key) {
  const auto name = find_string(object, key);
  if (!name || name->empty() || name->size() > kMaxNameBytes) return std::nullopt;
  return name;
}

std::optional<std::string> find_id(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  if (!text || text->empty() || text->size() > kMaxIdBytes) return std::nullopt;
  const bool is_plain = std::ranges::all_of(*text, [](char c) { return c > ' ' && c < '\x7f'; });
  if (!is_plain) return std::nullopt;
  return std::string(*text);
}

std::int64_t count_in(const json::object& object, std::string_view key) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  return std::clamp<std::int64_t>(find_int(object, key).value_or(0), 0, kMost);
}

std::optional<Millis> find_moment(const json::object& object, std::string_view key) {
  if (const auto text = find_string(object, key)) return parse_iso8601(*text);
  const json::value* value = find_member(object, key);
  if (value == nullptr) return std::nullopt;
  Millis moment = 0;
  if (value->is_int64()) {
    moment = value->get_int64();
  } else if (value->is_double() && std::abs(value->get_double()) < double(kMaxMillis)) {
    moment = static_cast<Millis>(value->get_double());
  }
  if (moment <= 0 || moment > kMaxMillis) return std::nullopt;
  return moment <= kMaxSeconds ? moment * 1000 : moment;
}

}  // namespace weft::formats
