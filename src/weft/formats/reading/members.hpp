// Reads members of JSON records within bounds: a reader's state is stored with every line, so
// ids, names and counts must be small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats {

// A member that is a string; "" if there is none.
std::string text_in(const json::object& object, std::string_view key);

// A member that is a string and not empty.
std::optional<std::string> find_words(const json::object& object, std::string_view key);
// The same of the object that is the member `key`.
std::optional<std::string> find_words(const json::object& object, std::string_view key,
                                      std::string_view inner);

// Longer ids, names and titles are not kept.
inline constexpr std::size_t kMaxNameBytes = 1024;
// A string of at most kMaxNameBytes that is not empty. Points into `object`.
std::optional<std::string_view> find_name(const json::object& object, std::string_view key);

// Ids are printable ASCII without blanks, at most this long.
inline constexpr std::size_t kMaxIdBytes = 128;
std::optional<std::string> find_id(const json::object& object, std::string_view key);

// A number of tokens, limited so that many can be added without overflow; 0 if there is none.
std::int64_t count_in(const json::object& object, std::string_view key);

// A time as transcripts write it: ISO 8601, or milliseconds or seconds since 1970.
std::optional<Millis> find_moment(const json::object& object, std::string_view key);

}  // namespace weft::formats
