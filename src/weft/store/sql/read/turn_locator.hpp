// Locates documents: the turn of a block, the role of that turn, and the exchange it belongs to.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/names.hpp"

namespace weft::store::sql {

struct TurnPlace {
  std::uint8_t role = 3;  // as PackedTurn has it
  Id exchange = 0;        // the human turn that it is or answers; itself without one
};

// Caches what it reads: use one for one commit, or one pass over the store.
class TurnLocator {
 public:
  TurnLocator(const Database& database, const Words& words) : database_(database), words_(words) {}

  // The first turn that contains the block; 0 for none.
  Result<Id> turn_of(Id block);
  Result<TurnPlace> place_of(Id turn);
  // Notes a turn that was just written, so that it need not be read back: its role, and the turn
  // that it follows. Without effect unless that follows from what is known already.
  void note(Id turn, std::string_view role, Id before);
  // Whether one commit wove both.
  Result<bool> came_together(Id one, Id other);

 private:
  struct Turn {
    std::uint8_t role = 3;
    Id before = 0;  // the turn that it follows; 0 for none
  };
  Result<Turn> read(Id turn);
  Result<Id> turn_before(Id turn);
  Result<Id> contains();

  const Database& database_;
  const Words& words_;
  std::optional<Id> contains_;
  std::unordered_map<Id, TurnPlace> places_;
};

}  // namespace weft::store::sql
