// Answers the hook of an agent whose session begins again after a compaction.
#pragma once

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// Reads the event from stdin. At a SessionStart after a compaction, prints the handover of the
// session as the context that Claude Code adds; at any other event, or if the session is not in the
// store, nothing. A failure is reported on stderr and disturbs nobody.
void hand_over(const Context& context);

}  // namespace weft::cli
