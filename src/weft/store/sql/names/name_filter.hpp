// NameFilter: names that the store certainly does not have, from memory.
//
// Nearly every name that a large ingest looks up is new, and the index costs more the larger it is.
// One bit for each of many ranges of hashes says "none of these". It describes the store as of the
// last commit that this process made or saw: good enough for weaving, because the writer looks
// again, and for nothing that must be exact.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/name_index.hpp"

namespace weft::store::sql {

// May be used from any thread.
class NameFilter {
 public:
  // True only if no name has this hash.
  bool rules_out(Hash hash) const;
  void add(std::span<const Name> names);

  // Another process added names: nothing is ruled out any more.
  void turn_off();
  // Call it before the writer looks up `asked` names in a store of at most `names`. Turns the
  // filter on, or enlarges it, if reading all names costs less than it saves. In the writer's
  // transaction.
  Status prepare(const Database& database, std::size_t asked, std::int64_t names);

 private:
  Status read_all(const Database& database, std::int64_t names);

  mutable std::mutex mutex_;
  std::vector<std::uint64_t> bits_;  // guarded by mutex_; empty: off
  int shift_ = 0;                    // guarded by mutex_; from a hash to its bit
  std::size_t asked_ = 0;            // while it was off; the writer's alone
};

}  // namespace weft::store::sql
