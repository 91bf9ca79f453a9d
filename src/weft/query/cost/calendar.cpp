#include "weft/query/cost/calendar.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace weft::query {
namespace {

constexpr Millis kDay = 24 * 60 * 60 * 1000;

Millis machine_offset(Millis moment) {
  const std::time_t seconds = moment / 1000;
  std::tm local{};
  if (localtime_r(&seconds, &local) == nullptr) return 0;
  return local.tm_gmtoff * 1000;
}

// "Europe/Berlin": of TZ, else of the file that /etc/localtime stands for, else as "+01:00".
std::string machine_zone() {
  if (const char* given = std::getenv("TZ"); given != nullptr && *given != '\0') {
    return *given == ':' ? given + 1 : given;
  }
  std::error_code error;
  const std::string path = std::filesystem::read_symlink("/etc/localtime", error).string();
  constexpr std::string_view kZones = "zoneinfo/";
  if (const std::size_t at = path.rfind(kZones); at != std::string::npos) {
    return path.substr(at + kZones.size());
  }
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char name[16] = "UTC";
  if (localtime_r(&now, &local) != nullptr) std::strftime(name, sizeof name, "%z", &local);
  return name;
}

}  // namespace

std::string Calendar::day(Millis time) const {
  return to_iso8601(time + (offset ? offset(time) : 0)).substr(0, 10);
}

std::string Calendar::week(Millis time) const {
  const Millis local = time + (offset ? offset(time) : 0);
  const Millis days = (local >= 0 ? local : local - kDay + 1) / kDay;
  // Day 0 was a Thursday.
  const Millis since_monday = ((days + 3) % 7 + 7) % 7;
  return to_iso8601((days - since_monday) * kDay).substr(0, 10);
}

std::string Calendar::month(Millis time) const { return day(time).substr(0, 7); }

Calendar machine_calendar() {
  tzset();
  return {.zone = machine_zone(), .offset = machine_offset};
}

}  // namespace weft::query
