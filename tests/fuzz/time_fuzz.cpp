// Any text: a moment or none; a moment is written and read back to the same
// millisecond, within the years that can be written.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "weft/base/time.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_round_trip(weft::Millis moment) {
  const std::string text = weft::to_iso8601(moment);
  require(text.size() == std::strlen("2026-02-01T14:42:13.415Z"));
  const std::optional<weft::Millis> back = weft::parse_iso8601(text);
  require(back.has_value());
  const bool first = text == "0000-01-01T00:00:00.000Z";
  const bool last = text == "9999-12-31T23:59:59.999Z";
  require(*back == moment || (first && moment < *back) || (last && moment > *back));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto moment = weft::parse_iso8601(text)) check_round_trip(*moment);
  if (size >= sizeof(weft::Millis)) {
    weft::Millis moment = 0;
    std::memcpy(&moment, data, sizeof moment);
    check_round_trip(moment);
  }
  return 0;
}
