// Results shared by the tools that record sessions.
#pragma once

#include <expected>
#include <string>

#include "weft/capture/agent/recorder.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"

namespace weft::mcp {

// The recorder, or the refusal if nothing can be recorded here.
std::expected<capture::Recorder*, json::object> recorder_of(const Call& call);

// The session of a call: the one it names or, if it names none, the only one that is recording.
// Otherwise the answer that asks which.
std::expected<std::string, json::object> session_of(const Call& call,
                                                    const capture::Recorder& recorder);

// The answer for an error of a recorder.
json::object not_recorded(const Error& error, const std::string& session_id);

// The argument session_id.
Parameter session_parameter(std::string_view description, bool is_required);

// The refusal of a server that cannot ingest: its store is read-only, or its keyring cannot sign.
json::object cannot_ingest(const ServerContext& context);

}  // namespace weft::mcp
