// An event that waits for its item, and its form in the reader's state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/time.hpp"
#include "weft/formats/adapters/codex/item_content.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::codex {

struct PendingEvent {
  ItemContent content;  // texts, and images by reference
  std::uint64_t line = 0;
  std::string place;
  std::optional<Millis> time;

  // Only texts, thinking and images are saved.
  void archive(StateArchive& a);
};

}  // namespace weft::formats::codex
