#include "weft/formats/adapters/codex/reader_memory.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "weft/base/state_archive.hpp"
#include "weft/formats/adapters/codex/line.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Usage;

constexpr std::array kFields = {&Usage::input, &Usage::output, &Usage::cache_read,
                                &Usage::cache_write};

// Nothing real comes near; beyond it a sum might overflow.
constexpr std::int64_t kMostTokens = std::int64_t{1} << 50;

Usage parse_usage(const json::object& usage) {
  constexpr std::array<std::string_view, 4> kKeys = {
      "input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens"};
  Usage parsed;
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    parsed.*kFields[i] =
        std::clamp<std::int64_t>(find_int(usage, kKeys[i]).value_or(0), 0, kMostTokens);
  }
  return parsed;
}

void add_to(Usage& sum, const Usage& more) {
  for (const auto field : kFields) {
    sum.*field = std::clamp<std::int64_t>(sum.*field + more.*field, 0, kMostTokens);
  }
}

}  // namespace

bool UsageCount::add(const json::object& payload, bool is_replay) {
  const json::object* info = find_object(payload, "info");
  const json::object* last = info == nullptr ? nullptr : find_object(*info, "last_token_usage");
  const json::object* all = info == nullptr ? nullptr : find_object(*info, "total_token_usage");
  if (last == nullptr && all == nullptr) return false;
  Usage more = last == nullptr ? Usage() : parse_usage(*last);
  if (all != nullptr) {
    const Usage total = parse_usage(*all);
    if (total == total_) return false;
    if (last == nullptr) {
      for (const auto field : kFields) {
        more.*field = std::max<std::int64_t>(total.*field - total_.*field, 0);
      }
    }
    total_ = total;
  }
  if (is_replay || more == Usage()) return false;
  add_to(sum_, more);
  return true;
}

bool UsageCount::add_turn(const json::object& payload) {
  const json::object* usage = find_object(payload, "usage");
  if (usage == nullptr) return false;
  const Usage more = parse_usage(*usage);
  add_to(sum_, more);
  return more != Usage();
}

void UsageCount::archive(StateArchive& a, std::string_view key) {
  a.field(key, state_cells(sum_.input, sum_.output, sum_.cache_read, sum_.cache_write, total_.input,
                           total_.output, total_.cache_read, total_.cache_write));
  for (Usage* usage : {&sum_, &total_}) {
    for (const auto field : kFields) {
      usage->*field = std::clamp<std::int64_t>(usage->*field, 0, kMostTokens);
    }
  }
}

}  // namespace weft::formats::codex
