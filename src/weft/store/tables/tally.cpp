#include "weft/store/tables/tally.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/tables/tally_sum.hpp"
#include "weft/store/tables/unpacker.hpp"

namespace weft::store {
namespace {

using sql::append_varint;

// Wraps: a duration that a file states may be anything.
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

template <class Map>
void add_to(Map& map, const Map& more) {
  for (const auto& [key, count] : more) map[key] += count;
}

std::int64_t copied(const Count& count) { return sum_of(count.all, -count.own); }

// Which figures are not zero, and these; first `all`, then what was copied.
void append_figures(std::string& out, const Figures& figures) {
  const auto append = [&](auto&& value_of) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < kFigures; ++i) {
      if (value_of(figures.counts[i]) != 0) mask |= std::uint64_t{1} << i;
    }
    append_varint(out, mask);
    for (const Count& count : figures.counts) {
      if (value_of(count) != 0) append_signed(out, value_of(count));
    }
  };
  append([](const Count& count) { return count.all; });
  append(copied);
}

void add_figures(Unpacker& bytes, Figures& sum) {
  for (const bool is_all : {true, false}) {
    std::uint64_t mask = bytes.take();
    for (std::size_t i = 0; mask != 0 && i < kFigures; ++i, mask >>= 1) {
      if ((mask & 1) == 0) continue;
      const std::int64_t value = bytes.take_signed();
      // Wraps, too: bytes may state anything.
      const auto copied_value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
      sum.counts[i] += is_all ? Count{value, value} : Count{0, copied_value};
    }
  }
}

Figures take_figures(Unpacker& bytes) {
  Figures figures;
  add_figures(bytes, figures);
  return figures;
}

void append_count(std::string& out, const Count& count) {
  append_signed(out, count.all);
  append_signed(out, copied(count));
}
Count take_count(Unpacker& bytes) {
  const std::int64_t all = bytes.take_signed();
  return {all, sum_of(all, -bytes.take_signed())};
}

// What was counted and taken back leaves zeros, which are not stored.
template <class Map>
std::size_t count_used(const Map& counts) {
  return static_cast<std::size_t>(
      std::ranges::count_if(counts, [](const auto& entry) { return entry.second != Count{}; }));
}

void append_counts(std::string& out, const std::map<std::int64_t, Count>& counts) {
  append_varint(out, count_used(counts));
  for (const auto& [key, count] : counts) {
    if (count == Count{}) continue;
    append_signed(out, key);
    append_count(out, count);
  }
}
void add_counts(Unpacker& bytes, std::map<std::int64_t, Count>& counts) {
  for (std::uint64_t left = bytes.take(); left > 0 && !bytes.is_at_end(); --left) {
    const std::int64_t key = bytes.take_signed();
    counts[key] += take_count(bytes);
  }
}

std::int64_t quarter_of(Millis time) { return time <= 0 ? 0 : time / kQuarterMs; }

}  // namespace

Count& Count::operator+=(const Count& more) {
  all = sum_of(all, more.all);
  own = sum_of(own, more.own);
  return *this;
}

Figures& Figures::operator+=(const Figures& more) {
  for (std::size_t i = 0; i < kFigures; ++i) {
    counts[i] += more.counts[i];
  }
  return *this;
}

Totals& Totals::operator+=(const Totals& more) {
  figures += more.figures;
  add_to(types, more.types);
  add_to(authors, more.authors);
  add_to(tools, more.tools);
  return *this;
}

Tally& Tally::operator+=(const Tally& more) {
  for (std::size_t i = 0; i < kPortions; ++i) {
    totals[i] += more.totals[i];
    add_to(quarters[i], more.quarters[i]);
  }
  return *this;
}

void add_place(Tally& tally, const PlacedTally& place, std::int64_t sign) {
  const auto counted = [&](std::int64_t value) {
    return Count{sign * value, place.is_own ? sign * value : 0};
  };
  const std::int64_t quarter = quarter_of(place.time);
  const auto add = [&](Portion in, Figure figure, std::int64_t value) {
    const auto at = static_cast<std::size_t>(in);
    tally.totals[at].figures[figure] += counted(value);
    tally.quarters[at][quarter][figure] += counted(value);
  };
  const BlockTally& block = place.block;
  using enum Figure;
  add(Portion::clear, blocks, 1);
  if (block.chars != 0) add(block.chars_in, chars, block.chars);
  tally.totals[0].types[place.type] += counted(1);
  tally.totals[0].authors[place.author] += counted(1);
  switch (block.kind) {
    case BlockTally::Kind::thinking:
    case BlockTally::Kind::response: {
      if (!block.duration) break;
      const bool is_thinking = block.kind == BlockTally::Kind::thinking;
      add(block.duration_in, is_thinking ? thinking_ms : response_ms, *block.duration);
      add(block.duration_in, is_thinking ? thinking_timed : response_timed, 1);
      break;
    }
    case BlockTally::Kind::tool_request: {
      add(Portion::clear, tool_calls, 1);
      tally.totals[static_cast<std::size_t>(block.tool_in)].tools[block.tool] += counted(1);
      break;
    }
    case BlockTally::Kind::tool_result: {
      if (block.is_error) add(block.error_in, tool_errors, 1);
      if (!place.since_request) break;
      add(block.time_in, block.waits ? waiting_ms : tool_ms, *place.since_request);
      add(block.time_in, block.waits ? waiting_timed : tool_timed, 1);
      break;
    }
    case BlockTally::Kind::other: break;
  }
}

void add_turns(Tally& tally, Millis time, const Count& turns) {
  tally.totals[0].figures[Figure::turns] += turns;
  tally.quarters[0][quarter_of(time)][Figure::turns] += turns;
}

std::string pack(const Totals& totals) {
  std::string out;
  if (totals.figures.is_zero() && count_used(totals.types) == 0 &&
      count_used(totals.authors) == 0 && count_used(totals.tools) == 0) {
    return out;
  }
  append_figures(out, totals.figures);
  append_counts(out, totals.types);
  append_counts(out, totals.authors);
  append_varint(out, count_used(totals.tools));
  for (const auto& [name, count] : totals.tools) {
    if (count == Count{}) continue;
    append_varint(out, name.size());
    out += name;
    append_count(out, count);
  }
  return out;
}

Result<Totals> unpack_totals(std::string_view bytes) {
  Totals totals;
  WEFT_TRY(add_totals(bytes, totals));
  return totals;
}

Status add_totals(std::string_view bytes, Totals& sum) {
  if (bytes.empty()) return {};
  Unpacker in(bytes);
  add_figures(in, sum.figures);
  add_counts(in, sum.types);
  add_counts(in, sum.authors);
  for (std::uint64_t left = in.take(); left > 0 && !in.is_at_end(); --left) {
    const std::string_view name = in.take_text();
    const auto known = sum.tools.find(name);
    Count& count = known != sum.tools.end() ? known->second : sum.tools[std::string(name)];
    count += take_count(in);
  }
  return in.status();
}

std::string pack(const Quarters& quarters, std::int64_t first) {
  std::string out;
  for (const auto& [quarter, figures] : quarters) {
    if (figures.is_zero()) continue;
    append_varint(out, static_cast<std::uint64_t>(quarter - first));
    append_figures(out, figures);
  }
  return out;
}

Result<Quarters> unpack_quarters(std::string_view bytes, std::int64_t first) {
  Quarters quarters;
  Unpacker in(bytes);
  while (!in.is_at_end()) {
    const std::int64_t quarter = sum_of(first, static_cast<std::int64_t>(in.take()));
    quarters[quarter] = take_figures(in);
  }
  WEFT_TRY(in.status());
  return quarters;
}

}  // namespace weft::store
