// Finds what a forget would leave uncovered: rows that stay, and that are leaves only of trees that
// lose their leaves.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/forget/rows_to_forget.hpp"

namespace weft::store::sql {

struct Uncovered {
  struct Row {
    Id id = 0;
    Id created_by = 0;  // of the checkpoint that covered it
    bool is_edge = false;
  };
  // Thoughts with signatures of their own, and edges that must be signed again; by id.
  std::vector<Row> rows{};
  // Edges that a tree of another conversation has too: signed through that one from now on.
  std::vector<RowsToForget::Orphan> resigned{};
};

// `bared`: checkpoints that lose their leaves, by id. `alone`: rows with signatures of their own
// that stay, although the forgotten conversations hold them. `orphans`: rows that stay and are
// signed through `bared`.
Result<Uncovered> find_uncovered(const Database& database, const std::vector<Id>& bared,
                                 const std::unordered_set<Id>& alone,
                                 const std::vector<RowsToForget::Orphan>& orphans);

// The first conversation that holds a row and can cover it: it is by the same hand, and has
// checkpoints. None of `leaving`.
Result<std::optional<Id>> find_heir(const Database& database, const Uncovered::Row& row,
                                    const std::unordered_set<Id>& leaving);

}  // namespace weft::store::sql
