// Migration of a store as an action of its own: writers of a file migrate when they open
// it, those of a web on a server never.
#pragma once

#include <cstdint>

#include "weft/store/open.hpp"

namespace weft::store {

struct MigrationReport {
  std::int64_t from = 0, to = 0;  // versions; equal if there was nothing to do
};

// All or nothing in a file: a process that is killed leaves the store as it was; on a server, the
// version that it had come to. Opening errors are those of open_store().
[[nodiscard]] Result<MigrationReport> migrate_store(const StoreUrl& url, OnWait on_wait = {});

}  // namespace weft::store
