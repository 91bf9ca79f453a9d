// Finds the calls with which an agent of OpenClaw starts another, sessions_spawn. The result
// names the child by its key ("agent:main:subagent:…"), under which the index knows it.
#pragma once

#include <vector>

#include "weft/formats/adapters/pi/message.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::openclaw {

// Those of `message`: calls without a child yet, and results that name one.
std::vector<transcript::Spawned> spawned_by(const pi::Message& message);

}  // namespace weft::formats::openclaw
