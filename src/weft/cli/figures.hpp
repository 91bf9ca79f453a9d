// Times, durations, sizes and counts as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/time.hpp"

namespace weft::cli {

// In local time: "2026-02-01 14:42:13", "2026-02-01", "14:42:13". A moment that nobody
// knows (0) is "-".
std::string local_date_time(Millis time);
std::string local_date(Millis time);
std::string local_time(Millis time);

// "532 ms", "1.1 s", "2 min 5 s", "3 h 20 min".
std::string duration(std::int64_t milliseconds);

// "812 B", "1.4 kB", "12.3 MB".
std::string byte_size(std::uint64_t bytes);

// "12,345".
std::string count(std::uint64_t number);
// "1 thought", "12,345 thoughts".
std::string count(std::uint64_t number, std::string_view what);

}  // namespace weft::cli
