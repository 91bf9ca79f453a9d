// Results that ask the client for something first.
#pragma once

#include <optional>
#include <string>

#include "weft/mcp/protocol/call.hpp"

namespace weft::conformance {

json::object needs(json::object requests, std::optional<std::string> state = {});
mcp::Served<> input_prompt(mcp::Call& call);

}  // namespace weft::conformance
