// What the tools that record have in common.
#pragma once

#include <expected>
#include <string>

#include "weft/capture/agent/recorder.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"

namespace weft::mcp {

// Or the answer that says why nothing can be recorded here.
std::expected<capture::Recorder*, json::object> recorder_of(const Call& call);

// The session that a call is about: the one it names or, where it names none, the only one that
// is recording. Or the answer that asks which.
std::expected<std::string, json::object> session_of(const Call& call,
                                                    const capture::Recorder& recorder);

// The answer for what a recorder refused.
json::object not_recorded(const Error& error, const std::string& session_id);

// The argument session_id.
Parameter session_parameter(std::string_view description, bool is_required);

// What a server without a keyring that signs says of taking anything in.
json::object cannot_sign();

}  // namespace weft::mcp
