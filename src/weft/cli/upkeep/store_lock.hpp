// The lock of commands that need a store to themselves: no other process ingests meanwhile.
#pragma once

#include "weft/base/file_lock.hpp"
#include "weft/cli/app/context.hpp"

namespace weft::cli {

// Holds the lock of background ingest for the context's store. Waits for it for up to 30 seconds,
// with a note on stderr after two. unavailable, with the processes that hold it, after that.
Result<FileLock> hold_store(const Context& context);

}  // namespace weft::cli
