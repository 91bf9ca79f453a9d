// Computes the rows that are removed when a key is dropped. Reads the tables in the caller's
// transaction, and changes nothing.
#pragma once

#include <vector>

#include "weft/store/forgetting.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/forget/rows_to_forget.hpp"

namespace weft::store::sql {

struct RowsToDrop {
  DropPlan told{};
  // Thoughts, connections, names and conversations. Nobody else signs through a tree of theirs, so
  // there are no orphans. `sources` are those that only these conversations stand in.
  RowsToForget rows{};
  std::vector<Id> elsewhere{};  // conversations of others that lose something
};

// not_found if `identity` signed nothing here.
Result<RowsToDrop> plan_drop(const Database& database, const Cid& identity);

}  // namespace weft::store::sql
