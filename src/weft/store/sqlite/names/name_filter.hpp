// A filter in memory for names that the store surely does not have.
//
// Nearly every name that a large ingest asks for is new, and asking the index costs more the
// larger it is. One bit for each of many stretches of hashes says "none of these"; it is
// right about a store as of the last commit that this process made or saw, so a "no" is
// good enough for weaving (the writer looks again) and for nothing that must be exact.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "weft/store/sqlite/names/name_index.hpp"

namespace weft::store::sql {

// For any thread.
class NameFilter {
 public:
  // True only if no name has this hash.
  bool rules_out(Hash hash) const;
  void add(std::span<const Name> names);

  // Names came that were not added: it rules nothing out any more.
  void turn_off();
  // The writer is about to ask for `asked` names, and there are `names` at most: turns the
  // filter on, or makes it larger, where reading all names costs less than it saves. In the
  // writer's transaction.
  Status prepare(const sqlite::Database& database, std::size_t asked, std::int64_t names);

 private:
  Status read_all(const sqlite::Database& database, std::int64_t names);

  mutable std::mutex mutex_;
  std::vector<std::uint64_t> bits_;  // guarded by mutex_; empty: off
  int shift_ = 0;                    // guarded by mutex_; from a hash to its bit
  std::size_t asked_ = 0;            // while it was off; the writer's alone
};

}  // namespace weft::store::sql
