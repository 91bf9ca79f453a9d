// Signals of a command that runs until it is interrupted.
#pragma once

namespace weft::cli {

// Blocks SIGINT and SIGTERM, which from here on make the returned descriptor readable, and ignores
// SIGPIPE. Call it before starting any thread. -1 if no descriptor is left.
int catch_signals();

}  // namespace weft::cli
