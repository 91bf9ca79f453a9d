// The end of a command that runs until it is told to stop.
#pragma once

namespace weft::cli {

// From here on SIGINT and SIGTERM only make the descriptor readable, and SIGPIPE does nothing.
// Called before any thread is begun, so that none of them is interrupted. -1 if there is none left.
int catch_signals();

}  // namespace weft::cli
