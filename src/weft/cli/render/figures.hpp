// Formats local times for people, and durations, sizes and counts (base/figures.hpp).
#pragma once

#include <string>

#include "weft/base/figures.hpp"
#include "weft/base/time.hpp"

namespace weft::cli {

// In local time: "2026-02-01 14:42:13", "2026-02-01", "14:42:13". An unknown time (0) is "-".
std::string local_date_time(Millis time);
std::string local_date(Millis time);
std::string local_time(Millis time);

}  // namespace weft::cli
