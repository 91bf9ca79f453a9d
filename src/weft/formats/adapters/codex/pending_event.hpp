// An event that waits for its item, and its form in the reader's state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/formats/adapters/codex/item_content.hpp"

namespace weft::formats::codex {

struct PendingEvent {
  ItemContent content;  // texts, and images by reference
  std::uint64_t line = 0;
  std::string place;
  std::optional<Millis> time;
};

json::object pending_json(const PendingEvent& pending);
// Empty if `value` is not what pending_json() returned.
std::optional<PendingEvent> parse_pending(const json::value& value);

}  // namespace weft::formats::codex
