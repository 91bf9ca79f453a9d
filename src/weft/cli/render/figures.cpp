#include "weft/cli/render/figures.hpp"

#include <array>
#include <ctime>

namespace weft::cli {
namespace {

std::string local(Millis time, const char* form) {
  if (time == 0) return "-";
  // Rounds down, so that the last second before 1970 is one.
  const std::time_t seconds = static_cast<std::time_t>(time / 1000 - (time % 1000 < 0 ? 1 : 0));
  std::tm parts{};
  if (::localtime_r(&seconds, &parts) == nullptr) return "-";
  std::array<char, 40> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), form, &parts);
  return {text.data(), length};
}

}  // namespace

std::string local_date_time(Millis time) { return local(time, "%Y-%m-%d %H:%M:%S"); }
std::string local_date(Millis time) { return local(time, "%Y-%m-%d"); }
std::string local_time(Millis time) { return local(time, "%H:%M:%S"); }

}  // namespace weft::cli
