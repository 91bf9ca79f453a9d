// Marks that a coding agent leaves in the messages it sends to the API. A list of messages with
// such a mark is the agent's own file rather than a log of the API.
#pragma once

#include "weft/formats/reading/partial_object.hpp"

namespace weft::formats::anthropic {

// Whether the content of a message begins with a tag of Cline, Roo Code or Kilo Code.
bool has_agent_mark(const PartialObject& message);

}  // namespace weft::formats::anthropic
