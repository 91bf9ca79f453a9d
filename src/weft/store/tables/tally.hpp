// Tally: the figures of a conversation, in total and by quarter of an hour, for each layer that
// states them (block_tally.hpp).
//
// `all` counts the places of the conversation. `own` leaves out places that a fork or a resumed
// session copied from another conversation: over several conversations, each place counts once, at
// its first holder.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "weft/store/tables/block_tally.hpp"

namespace weft::store {

enum class Figure : std::uint8_t {  // on disk
  blocks = 0,
  turns = 1,
  tool_calls = 2,
  tool_errors = 3,
  chars = 4,
  // Sums of times, and how many have one: a sum of none is unknown, not zero.
  thinking_ms = 5,
  thinking_timed = 6,
  response_ms = 7,
  response_timed = 8,
  tool_ms = 9,
  tool_timed = 10,
  waiting_ms = 11,
  waiting_timed = 12,
};
inline constexpr std::size_t kFigures = 13;

struct Count {
  std::int64_t all = 0, own = 0;
  Count& operator+=(const Count& more);
  friend bool operator==(const Count&, const Count&) = default;
};

struct Figures {
  std::array<Count, kFigures> counts{};

  Count& operator[](Figure figure) { return counts[static_cast<std::size_t>(figure)]; }
  const Count& operator[](Figure figure) const { return counts[static_cast<std::size_t>(figure)]; }
  Figures& operator+=(const Figures& more);
  bool is_zero() const { return *this == Figures{}; }
  friend bool operator==(const Figures&, const Figures&) = default;
};

// What one portion states of a whole conversation. Types and authors are numbers of words and
// names.
struct Totals {
  Figures figures{};
  std::map<std::int64_t, Count> types{}, authors{};
  std::map<std::string, Count, std::less<>> tools{};

  Totals& operator+=(const Totals& more);
  friend bool operator==(const Totals&, const Totals&) = default;
};

// Quarters of an hour since 1970, UTC; 0 for what has no time.
using Quarters = std::map<std::int64_t, Figures>;
inline constexpr Millis kQuarterMs = 15 * 60 * 1000;
inline constexpr std::int64_t kQuartersOfDay = 96;

struct Tally {
  std::array<Totals, kPortions> totals{};
  std::array<Quarters, kPortions> quarters{};

  Tally& operator+=(const Tally& more);
  friend bool operator==(const Tally&, const Tally&) = default;
};

// A block at a place.
struct PlacedTally {
  const BlockTally& block;
  std::int64_t type = 0, author = 0;
  Millis time = 0;
  std::optional<Millis> since_request{};  // of results: the time since the request
  bool is_own = true;
};
// Adds a place, or removes one if `sign` is -1.
void add_place(Tally& tally, const PlacedTally& place, std::int64_t sign = 1);
// Adds turns: `all` and `own` of them.
void add_turns(Tally& tally, Millis time, const Count& turns);

// As stored (docs/formats/store.md, "Tallies"), without zeros: equal figures give equal bytes.
// Bytes that cannot be read are `corrupt`.
std::string pack(const Totals& totals);
Result<Totals> unpack_totals(std::string_view bytes);
// The quarters of one day, which are counted from `first`.
std::string pack(const Quarters& quarters, std::int64_t first);
Result<Quarters> unpack_quarters(std::string_view bytes, std::int64_t first);

}  // namespace weft::store
