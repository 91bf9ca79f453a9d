// Reads times written as numbers: seconds since 1970 with a fraction, or milliseconds.
#pragma once

#include <optional>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats {

// Seconds, or milliseconds if the number is too large for seconds. Finer digits are cut. Empty if
// there is no number, or it is no time.
std::optional<Millis> find_unix_time(const json::object& object, std::string_view key);

}  // namespace weft::formats
