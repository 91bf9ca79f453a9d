// Writes a conversation as a request of the Messages API: {system?, tools?, messages}.
#pragma once

#include "weft/formats/adapter.hpp"

namespace weft::formats::anthropic {

// A conversation that was recorded from this API comes back block for block. Of any other, the
// blocks that the API would refuse are left out and counted in the notes; docs/replay.md says
// which. invalid_input if nothing is left.
Result<Written> write_messages(const transcript::Conversation& conversation);

}  // namespace weft::formats::anthropic
