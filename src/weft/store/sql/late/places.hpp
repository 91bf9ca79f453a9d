// Places: where the blocks of conversations stand, by the connections that their creators made.
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "weft/store/sql/late/late_table.hpp"

namespace weft::store::sql {

inline constexpr Id kAnyId = std::numeric_limits<Id>::max();  // above all ids

// For one transaction: it remembers what it read.
class Places {
 public:
  // `with` outlives it. `conversation` is the one that is asked about most.
  Places(LateContext& with, Id conversation) : with_(with), conversation_(conversation) {}

  // The numbers of the relations; 0 for one that no connection has.
  Result<Id> contains() { return relation("contains", contains_); }
  Result<Id> supersedes() { return relation("supersedes", supersedes_); }

  // The thoughts that `from` contains, in the order stored, with the connection's id first.
  Result<std::vector<std::pair<Id, Id>>> contents(Id from, Id creator);
  // The turns by `creator` that contain a block, and the conversations of these; with the id of the
  // connection to the block first.
  struct Place {
    Id edge = 0, turn = 0, conversation = 0;
  };
  Result<std::vector<Place>> places_of(Id block, Id creator);
  // Whether `creator` replaced a block, by a connection with an id below `before`.
  Result<bool> is_superseded(Id block, Id creator, Id before);

  // Whether the conversation is the first that holds a thought: the one that stored it, as long as
  // it is not forgotten, then the next that shares it.
  Result<bool> is_own(Id thought);
  // Whether the first block of a turn is own; true for a turn without blocks.
  Result<bool> is_own_turn(Id turn, Id creator);

 private:
  Result<Id> relation(std::string_view name, std::optional<Id>& id);
  Status load_runs();

  LateContext& with_;
  const Id conversation_;
  std::optional<Id> contains_{}, supersedes_{};
  bool has_runs_ = false;
  std::vector<std::pair<Id, Id>> runs_{};  // of the conversation, sorted
};

// The creator of a conversation; empty if its thought is not stored.
Result<std::optional<Id>> creator_of(const LateContext& with, Id conversation);

}  // namespace weft::store::sql
