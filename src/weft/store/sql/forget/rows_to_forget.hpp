// Computes the rows that are removed when conversations are forgotten. Reads the tables in the
// caller's transaction, and changes nothing.
#pragma once

#include <vector>

#include "weft/sqlite/database.hpp"
#include "weft/store/forgetting.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {

struct RowsToForget {
  // What stays and is signed through a tree that loses its leaves.
  struct Orphan {
    Id id = 0;
    Id checkpoint = 0;
    std::uint64_t leaf = 0;
    bool is_edge = true;
  };

  ForgetPlan told{};
  std::vector<Id> conversations{};
  std::vector<Id> thoughts{}, connections{};  // whose rows go, in order
  std::vector<Id> names{};                    // that go with them: nobody speaks of these
  std::vector<Id> bared{};                    // checkpoints that stay and lose their leaves
  std::vector<Orphan> orphans{};              // all of them, in the order of their ids
  std::vector<std::vector<Id>> adopted{};     // of these, the edges of told.orphans
  std::vector<Id> sources{};
  // That were never read to their end, so that nobody knows whose words are archived of them.
  std::vector<Id> unfinished{};
};

// not_found if one of `conversations` is none. What `owner` names stays.
Result<RowsToForget> plan_removal(const sqlite::Database& database,
                                  const std::vector<Cid>& conversations, const Cid& owner);

}  // namespace weft::store::sql
