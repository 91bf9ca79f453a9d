#include "weft/query/cost/calendar.hpp"

#include <algorithm>
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

// Whole days since 1970, rounded down.
std::int64_t days_until(Millis time) { return time / kDay - (time % kDay < 0 ? 1 : 0); }

// Times beyond this one, and before its negative, are those of its day: a file may state any.
constexpr Millis kLastTime = 100'000'000 * kDay;

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
  const std::int64_t days = days_until(local);
  // Day 0 was a Thursday.
  const Millis since_monday = ((days + 3) % 7 + 7) % 7;
  return to_iso8601((days - since_monday) * kDay).substr(0, 10);
}

std::string Calendar::month(Millis time) const { return day(time).substr(0, 7); }

std::string day_name(std::int64_t number) { return to_iso8601(number * kDay).substr(0, 10); }

std::int64_t DayNumbers::find(Millis time) {
  time = std::clamp(time, -kLastTime, kLastTime);
  const std::int64_t day = days_until(time);
  const auto [at, is_new] = offsets_.try_emplace(day);
  std::optional<Millis>& offset = at->second;
  if (is_new) {
    const Millis first = calendar_.offset ? calendar_.offset(day * kDay) : 0;
    if (!calendar_.offset || first == calendar_.offset((day + 1) * kDay - 1)) offset = first;
  }
  if (!offset) return days_until(time + calendar_.offset(time));
  last_ = days_until(time + *offset);
  begin_ = std::max(day * kDay, last_ * kDay - *offset);
  end_ = std::min((day + 1) * kDay, (last_ + 1) * kDay - *offset);
  return last_;
}

Calendar machine_calendar() {
  tzset();
  return {.zone = machine_zone(), .offset = machine_offset};
}

}  // namespace weft::query
