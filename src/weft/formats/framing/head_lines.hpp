// Iterates over the first JSON lines of a file, for recognition.
#pragma once

#include <functional>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::formats {

// Calls `line` with each of the first lines of `head` that is a JSON object, until it returns
// false.
void each_head_line(std::string_view head, const std::function<bool(const json::object&)>& line);

}  // namespace weft::formats
