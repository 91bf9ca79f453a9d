// Members of JSON objects as records have them: kept only where they say something, and within
// bounds, for whatever a reader remembers is kept with every line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats {

// A member that is a text; "" where there is none.
std::string text_in(const json::object& object, std::string_view key);

// A member that is a text and not empty: an empty one says as little as none.
std::optional<std::string> find_words(const json::object& object, std::string_view key);
// That of an object within.
std::optional<std::string> find_words(const json::object& object, std::string_view key,
                                      std::string_view inner);

// Ids, names and titles beyond this are not kept.
inline constexpr std::size_t kMaxNameBytes = 1024;
// A text of at most so many bytes that is not empty. Points into `object`.
std::optional<std::string_view> find_name(const json::object& object, std::string_view key);

// Printable ASCII without blanks, at most this long.
inline constexpr std::size_t kMaxIdBytes = 128;
std::optional<std::string> find_id(const json::object& object, std::string_view key);

// A number of tokens: from none to what nothing real comes near, so that many can be added.
std::int64_t count_in(const json::object& object, std::string_view key);

// A moment as transcripts write it: ISO 8601, or milliseconds (or seconds) since 1970.
std::optional<Millis> find_moment(const json::object& object, std::string_view key);

}  // namespace weft::formats
