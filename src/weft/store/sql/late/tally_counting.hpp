// Counts the blocks of conversations, one by one.
#pragma once

#include <array>
#include <limits>
#include <optional>

#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/tables/tally.hpp"

namespace weft::store::sql {

// The figures of a conversation, and which portions of them the keyring does not open.
struct ReadTally {
  Tally tally{};
  std::array<bool, kPortions> is_closed{};
};

// Counts every block that stands in a conversation: what the rows of `tallies` must be.
Result<ReadTally> count_blocks(LateContext& with, Id conversation);

// A block as it counts wherever it stands.
struct CountedBlock {
  Id type = 0, author = 0;
  Millis time = 0;
  std::optional<Millis> since_request{};
  BlockTally tally{};
  // It has the layer, and the keyring does not open it.
  bool is_metadata_closed = false, is_content_closed = false;

  // Adds it as it stands at one place, or removes it if `sign` is -1.
  void add_to(Tally& out, bool is_own, std::int64_t sign = 1) const;
};

// Empty if it is not stored, or no block.
Result<std::optional<CountedBlock>> read_block(LateContext& with, Id id);

// The time from a request to its result, where both have one.
Result<std::optional<Millis>> time_since(LateContext& with, std::optional<Id> request,
                                         Millis result);
// When a thought was made; 0 if it is not stored.
Result<Millis> time_of(const LateContext& with, Id thought);

}  // namespace weft::store::sql
