// OutlineItems: the turns of a conversation and the places of its blocks, in the order in which
// they were connected. A conversation that grows adds items at the end, whatever the reading order
// is; arrange() computes that.
#pragma once

#include <optional>
#include <vector>

#include "weft/store/outline/conversation_outline.hpp"

namespace weft::store {

struct TurnItem {
  Handle edge = 0;  // the connection that contains it; 0 if it came from a page
  Handle turn = 0;
  std::optional<std::int64_t> position{};
  std::uint64_t sequence = 0;
  Millis created_at = 0;
  bool names_parent = false;
  std::optional<Handle> parent{};  // empty also if the parent was not stored

  friend bool operator==(const TurnItem&, const TurnItem&) = default;
};

// A block at a place, or a summary: that stands right after the thinking that it is of, with the
// thinking's turn, position and connection.
struct BlockItem {
  Handle edge = 0;  // the connection that contains it; 0 if it came from a page
  Handle turn = 0, block = 0;
  std::optional<std::int64_t> position{};
  bool is_summary = false;
  bool is_superseded = false;
  bool has_cause = false;

  friend bool operator==(const BlockItem&, const BlockItem&) = default;
};

struct OutlineItems {
  std::vector<TurnItem> turns{};
  std::vector<BlockItem> blocks{};
};

// Puts the items into reading order. Leaves out blocks whose turn does not belong to the
// conversation.
ConversationOutline arrange(const OutlineItems& items);

}  // namespace weft::store
