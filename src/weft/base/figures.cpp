#include "weft/base/figures.hpp"

#include <fmt/format.h>

#include <array>

namespace weft {

std::string duration(std::int64_t milliseconds) {
  if (milliseconds < 0) return "-" + duration(-(milliseconds + 1) + 1);
  if (milliseconds < 1'000) return fmt::format("{} ms", milliseconds);
  const std::int64_t tenths = (milliseconds + 50) / 100;
  if (tenths < 600) return fmt::format("{}.{} s", tenths / 10, tenths % 10);
  const std::int64_t seconds = (milliseconds + 500) / 1'000;
  if (seconds < 3'600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3'600, seconds % 3'600 / 60);
}

std::string byte_size(std::uint64_t bytes) {
  if (bytes < 1'000) return fmt::format("{} B", bytes);
  constexpr std::array<std::string_view, 5> kUnits = {"kB", "MB", "GB", "TB", "PB"};
  double size = static_cast<double>(bytes) / 1'000;
  std::size_t unit = 0;
  // 999.95 would be written as 1000.0.
  while (size >= 999.95 && unit + 1 < kUnits.size()) {
    size /= 1'000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string count(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string count(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", count(number), what, number == 1 ? "" : "s");
}

}  // namespace weft
