// Migration of a store as an action of its own: other writers migrate when they open it.
#pragma once

#include <cstdint>

#include "weft/store/open.hpp"

namespace weft::store {

struct MigrationReport {
  std::int64_t from = 0, to = 0;  // versions; equal if there was nothing to do
};

// All or nothing: a process that is killed leaves the store as it was. Opening errors are those of
// open_store().
[[nodiscard]] Result<MigrationReport> migrate_store(const StoreUrl& url, OnWait on_wait = {});

}  // namespace weft::store
