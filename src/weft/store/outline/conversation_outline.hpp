// ConversationOutline: the blocks of a conversation in reading order, and the facts of each besides
// its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/time.hpp"
#include "weft/store/outline/statement.hpp"

namespace weft::store {

// Names a thought in this store only; shorter than a CID.
using Handle = std::int64_t;

struct OutlineTurn {
  Handle turn = 0;
  std::uint64_t sequence = 0;
  Millis created_at = 0;
  bool names_parent = false;
  std::optional<std::size_t> parent{};  // its number among the turns, if it is one of them
  bool is_root = false;  // its first block has no cause; only known if some turn names a parent
};

struct OutlineEntry {
  Handle block = 0;
  std::uint32_t turn = 0;    // its number among the turns
  std::uint32_t number = 0;  // in the order in which the blocks were placed
  bool is_superseded = false;

  friend bool operator==(const OutlineEntry&, const OutlineEntry&) = default;
};

// Everything that the conversation's creator put into it, superseded blocks and all branches
// included: turns in the order of their sequence, blocks by position, a summary right after its
// thinking.
struct ConversationOutline {
  std::vector<OutlineTurn> turns{};
  std::vector<OutlineEntry> entries{};
  // Where the facts of the blocks are stored. Empty if the outline had to be computed.
  struct Page {
    Handle first = 0;          // names the page
    std::uint32_t number = 0;  // of its first block, as of OutlineEntry
  };
  Handle conversation = 0;
  std::vector<Page> pages{};
};

// The facts of a block.
struct BlockFacts {
  std::string type{};
  Millis created_at = 0;
  StatedFacts stated{};
  bool is_closed = false;  // a layer of it does not open: what that states is missing here
  std::vector<Handle> causes{};
};

}  // namespace weft::store
