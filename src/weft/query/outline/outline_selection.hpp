// Selects the blocks of an outline: those of one branch without superseded ones, or all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::query {

struct OutlineSelection {
  store::ConversationOutline outline{};        // without its entries
  std::vector<store::OutlineEntry> entries{};  // by ordinal
  std::vector<bool> is_in{};                   // for each turn, whether it is in the branch

  std::uint64_t sequence_of(const store::OutlineEntry& entry) const {
    return outline.turns[entry.turn].sequence;
  }
  // Whether it was stored, or had to be computed.
  store::RowsRead rows() const { return {.done = outline.pages.empty() ? 0u : 1u, .all = 1}; }
  bool is_other_branch(const store::OutlineEntry& entry) const { return !is_in[entry.turn]; }
};

// The blocks of the branch that ends at the turn `branch`, by default of the main one; with `all`
// also those of other branches and superseded ones, marked. invalid_input if `branch` is no turn.
Result<OutlineSelection> select_outline(const Library& library,
                                        const store::ConversationRow& conversation,
                                        const std::optional<std::string>& branch, bool all);

}  // namespace weft::query
