// The text of a handover (handover.hpp).
#pragma once

#include <string>

#include "weft/base/json.hpp"
#include "weft/transcript/block.hpp"

namespace weft::query {

// What a call asked for, in its own words: its command, else its path or the like; empty if it
// shows neither.
std::string call_in_words(const transcript::ToolCall& call);

// Lines such as `task (3f2a91c0d1e2): "…"`, at most kMostHandoverBytes in all. `answer` has all
// members but `text`.
std::string handover_text(const json::object& answer);

}  // namespace weft::query
