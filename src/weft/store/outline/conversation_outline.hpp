// ConversationOutline: the blocks of a conversation in reading order, and the facts of each besides
// its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::store {

// Names a thought in this store only; shorter than a CID.
using Handle = std::int64_t;

struct OutlineTurn {
  Handle turn = 0;
  std::string role{};
  std::uint64_t sequence = 0;
  Millis created_at = 0;
  bool names_parent = false;
  std::optional<std::size_t> parent{};  // its number among the turns, if it is one of them
  bool is_root = false;  // its first block has no cause; only known if some turn names a parent
};

struct OutlineEntry {
  Handle block = 0;
  std::uint32_t turn = 0;  // its number among the turns
  bool is_superseded = false;
};

// Everything that the conversation's creator put into it, superseded blocks and all branches
// included: turns in the order of their sequence, blocks by position, a summary right after its
// thinking.
struct ConversationOutline {
  std::vector<OutlineTurn> turns{};
  std::vector<OutlineEntry> entries{};
};

// Facts of a block that its content states, in the clear or in a layer.
struct StatedFacts {
  std::optional<std::int64_t> duration_ms{};
  std::optional<std::uint64_t> chars{};  // of its text; of a tool call, of its input as JSON
  std::optional<std::string> tool{};
  bool is_error = false;
  bool is_withheld = false;

  friend bool operator==(const StatedFacts&, const StatedFacts&) = default;
};
// What some members of the content of a block of this kind state.
StatedFacts stated_facts(std::string_view kind, const json::object& members);
// Adds what `other` states and `facts` does not.
void merge(StatedFacts& facts, const StatedFacts& other);

struct BlockFacts {
  std::string type{};
  Millis created_at = 0;
  StatedFacts stated{};
  bool is_closed = false;  // a layer of it does not open: what that states is missing here
  std::vector<Handle> causes{};
};

}  // namespace weft::store
