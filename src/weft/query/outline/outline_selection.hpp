// Selects the blocks of an outline: those of one branch without superseded ones, or all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::query {

struct SelectedBlock {
  store::Handle block = 0;
  std::uint64_t sequence = 0;  // of its turn
  bool is_superseded = false;
  bool is_other_branch = false;
};

struct OutlineSelection {
  std::vector<SelectedBlock> entries{};  // by ordinal
};

// The blocks of the branch that ends at the turn `branch`, by default of the main one; with `all`
// also those of other branches and superseded ones, marked. invalid_input if `branch` is no turn.
Result<OutlineSelection> select_outline(const Library& library,
                                        const store::ConversationRow& conversation,
                                        const std::optional<std::string>& branch, bool all);

}  // namespace weft::query
