// ImportedTurns: the turns of the blocks of an import, as its own connections place them. So that
// indexing asks the store only about blocks that it knew before.
#pragma once

#include <optional>
#include <vector>

#include "weft/store/sql/names/commit_names.hpp"
#include "weft/store/sql/write/addition.hpp"

namespace weft::store::sql {

class ImportedTurns {
 public:
  // Notes what was written of an addition. Ids from `first` on were new in it.
  void note(const Addition& addition, Id first, CommitNames& names);
  // To be called behind the last note().
  void sort();

  // The turn that the creator of the turn placed the block in first; 0 if there is none. Empty if
  // the store may know more: it had the block or the turn before the import.
  std::optional<Id> find(Id block) const;

 private:
  struct Place {
    Id block, edge, turn, author;
  };
  struct Turn {
    Id id, creator;
  };

  std::vector<Place> places_;
  std::vector<Turn> turns_;
  Id first_ = 0;  // of all that are new; 0 before the first addition
};

}  // namespace weft::store::sql
