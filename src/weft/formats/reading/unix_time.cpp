#include "weft/formats/reading/unix_time.hpp"

#include <cmath>

namespace weft::formats {

std::optional<Millis> find_unix_time(const json::object& object, std::string_view key) {
  constexpr double kMostSeconds = 1e11;  // the year 5138
  constexpr double kMostMillis = kMostSeconds * 1000;
  // A double of seconds is off by up to a ten-thousandth of a millisecond: "…44.946" must not
  // become …945.
  constexpr double kSlack = 0.0005;
  const json::value* value = find_member(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  double number = value->to_number<double>();
  if (number > -kMostSeconds && number < kMostSeconds) number *= 1000;
  if (!(number > -kMostMillis && number < kMostMillis)) return std::nullopt;
  return static_cast<Millis>(std::floor(number + kSlack));
}

}  // namespace weft::formats
