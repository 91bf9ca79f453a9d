// Formats durations, sizes and counts for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

// "532 ms", "1.1 s", "2 min 5 s", "3 h 20 min".
std::string duration(std::int64_t milliseconds);

// "812 B", "1.4 kB", "12.3 MB".
std::string byte_size(std::uint64_t bytes);

// "12,345".
std::string count(std::uint64_t number);
// "1 thought", "12,345 thoughts".
std::string count(std::uint64_t number, std::string_view what);

}  // namespace weft
