// AddedTally: what one commit changes in the figures of conversations, at a cost that depends on
// the commit alone.
#pragma once

#include <map>
#include <set>

#include "weft/store/sql/late/places.hpp"
#include "weft/store/sql/late/tally_counting.hpp"

namespace weft::store::sql {

class AddedTally {
 public:
  // Both outlive it.
  AddedTally(LateContext& with, const LateAddition& addition)
      : with_(with), addition_(addition), places_(with, addition.conversation) {}

  Status count();
  // Precondition of both: count() succeeded.
  const Tally& change() const { return change_; }
  // Of other conversations, which contain blocks that the commit replaced.
  const std::map<Id, Tally>& elsewhere() const { return elsewhere_; }

 private:
  Result<Millis> time_of_turn(Id turn);
  Status count_turn(const Edge& edge);
  Status count_block(const Edge& edge);
  // A turn that had no block until now, and whose first one is a copy.
  Status count_copied_turn(const Edge& edge);
  Result<std::optional<CountedBlock>> find_block(Id id, const LateAddition::NewThought* added);
  // A block that this addition is the first to replace: it counts no longer where it stood before.
  Status take_back(Id block);

  LateContext& with_;
  const LateAddition& addition_;
  Places places_;
  Id contains_ = 0, supersedes_ = 0;
  std::set<Id> replaced_{}, turns_{};  // blocks and turns
  std::map<Id, Id> first_blocks_{};    // by turn
  Tally change_{};
  std::map<Id, Tally> elsewhere_{};
};

}  // namespace weft::store::sql
