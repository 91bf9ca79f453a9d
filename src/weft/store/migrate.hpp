// Migration of a SQLite store as an action of its own: other writers migrate when they open it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weft/base/result.hpp"

namespace weft::store {

struct MigrationReport {
  std::int64_t from = 0, to = 0;  // versions; equal if there was nothing to do
};

// All or nothing: a process that is killed leaves the store as it was. Opening errors are those of
// open_sqlite_store; `on_wait` is called when another process has been writing for two seconds.
[[nodiscard]] Result<MigrationReport> migrate_sqlite_store(const std::string& path,
                                                           std::function<void()> on_wait = {});

}  // namespace weft::store
