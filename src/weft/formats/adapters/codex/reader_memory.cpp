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

std::int64_t count_of(const json::object& usage, std::string_view key) {
  return std::clamp<std::int64_t>(find_int(usage, key).value_or(0), 0, kMostTokens);
}

void add_to(Usage& sum, const Usage& more) {
  for (const auto field : kFields) {
    sum.*field = std::clamp<std::int64_t>(sum.*field + more.*field, 0, kMostTokens);
  }
}

}  // namespace

struct UsageCount::Counts {
  Usage usage;
  std::int64_t reasoning = 0;

  Counts() = default;
  explicit Counts(const json::object& stated)
      : usage{.input = count_of(stated, "input_tokens"),
              .output = count_of(stated, "output_tokens"),
              .cache_read = count_of(stated, "cached_input_tokens"),
              .cache_write = count_of(stated, "cache_write_input_tokens")},
        reasoning(count_of(stated, "reasoning_output_tokens")) {}
};

void UsageCount::keep(const Counts& counts) {
  const Usage& usage = counts.usage;
  last_ = transcript::tokens_with_cache_inside(usage.input, usage.output, usage.cache_read,
                                               usage.cache_write, counts.reasoning);
  last_input_ = usage.input;
  add_to(sum_, usage);
}

bool UsageCount::add(const json::object& payload, bool is_replay) {
  const json::object* info = find_object(payload, "info");
  const json::object* last = info == nullptr ? nullptr : find_object(*info, "last_token_usage");
  const json::object* all = info == nullptr ? nullptr : find_object(*info, "total_token_usage");
  if (last == nullptr && all == nullptr) return false;
  Counts more = last == nullptr ? Counts() : Counts(*last);
  if (all != nullptr) {
    const Counts total(*all);
    if (total.usage == total_) return false;
    if (last == nullptr) {
      for (const auto field : kFields) {
        more.usage.*field = std::max<std::int64_t>(total.usage.*field - total_.*field, 0);
      }
      more.reasoning = std::max<std::int64_t>(total.reasoning - total_reasoning_, 0);
    }
    total_ = total.usage;
    total_reasoning_ = total.reasoning;
  }
  if (is_replay || more.usage == Usage()) return false;
  keep(more);
  return true;
}

bool UsageCount::add_turn(const json::object& payload) {
  const json::object* usage = find_object(payload, "usage");
  if (usage == nullptr) return false;
  const Counts more(*usage);
  keep(more);
  return more.usage != Usage();
}

void UsageCount::archive(StateArchive& a, std::string_view key) {
  a.field(key, state_cells(sum_.input, sum_.output, sum_.cache_read, sum_.cache_write, total_.input,
                           total_.output, total_.cache_read, total_.cache_write, total_reasoning_));
  total_reasoning_ = std::clamp<std::int64_t>(total_reasoning_, 0, kMostTokens);
  for (Usage* usage : {&sum_, &total_}) {
    for (const auto field : kFields) {
      usage->*field = std::clamp<std::int64_t>(usage->*field, 0, kMostTokens);
    }
  }
}

}  // namespace weft::formats::codex
