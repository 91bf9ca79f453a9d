// Looks up what a tool's arguments name, or returns the refusal that says why not and what to call.
#pragma once

#include <expected>
#include <string_view>

#include "weft/mcp/protocol/call.hpp"
#include "weft/query/library.hpp"

namespace weft::mcp {

template <class T>
using Named = std::expected<T, json::object>;

// The argument must be a text and present.
Named<Cid> thought_named(const Call& call, std::string_view argument);
Named<store::ConversationRow> conversation_named(const Call& call, std::string_view argument);
Named<store::ConversationRow> session_named(const Call& call, std::string_view argument);
// Empty if the argument is missing. Times are parsed by parse_moment().
Named<std::optional<Millis>> moment_named(const Call& call, std::string_view argument, Bound bound,
                                          const LocalClock& clock);

// The refusal for a failed query, with what to do about it.
json::object no_answer(const Call& call, const Error& error);

}  // namespace weft::mcp
