// An event that waits for its item, and how it is kept in the reader's state meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/formats/adapters/codex/utterance.hpp"

namespace weft::formats::codex {

struct PendingEvent {
  Utterance utterance;  // texts, and images by reference
  std::uint64_t line = 0;
  std::string place;
  std::optional<Millis> time;
};

json::object pending_json(const PendingEvent& pending);
// Empty if `value` is not what held_json() gave.
std::optional<PendingEvent> parse_pending(const json::value& value);

}  // namespace weft::formats::codex
