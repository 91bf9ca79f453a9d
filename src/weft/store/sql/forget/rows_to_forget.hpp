// Computes the rows that are removed when conversations are forgotten. Reads the tables in the
// caller's transaction, and changes nothing.
#pragma once

#include <vector>

#include "weft/store/forgetting.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

struct RowsToForget {
  // A row that stays although the tree that signs it loses its leaves.
  struct Orphan {
    Id id = 0;
    Id checkpoint = 0;
    std::uint64_t leaf = 0;
    bool is_edge = true;
  };
  // The rows of one of told.orphans.
  struct Adopted {
    std::vector<Id> thoughts{}, edges{};
  };

  ForgetPlan told{};
  std::vector<Id> conversations{};
  std::vector<Id> thoughts{}, connections{};  // deleted, in order
  std::vector<Id> names{};                    // deleted with them: nothing refers to these
  std::vector<Id> bared{};                    // checkpoints that stay without their leaves
  std::vector<Orphan> orphans{};              // all of them, in the order of their ids
  std::vector<Orphan> resigned{};  // of these, those that are a leaf of another tree too: of this
  std::vector<Adopted> adopted{};  // one for each of told.orphans
  std::vector<Id> sources{};
  // Sources that were never read to their end: it is unknown whose text their archive has.
  std::vector<Id> unfinished{};
  // Most of it is written again in the same transaction: words keep their numbers.
  bool comes_back = false;
};

// not_found if one of `conversations` is not stored. The identity `owner` stays.
Result<RowsToForget> plan_removal(const Database& database, const std::vector<Cid>& conversations,
                                  const Cid& owner);

}  // namespace weft::store::sql
