// What a tool's arguments name: the thing, or the refusal that says why not and what to call.
#pragma once

#include <expected>
#include <string_view>

#include "weft/mcp/protocol/call.hpp"
#include "weft/query/library.hpp"

namespace weft::mcp {

template <class T>
using Named = std::expected<T, json::object>;

// The argument is a text that is there.
Named<Cid> thought_named(const Call& call, std::string_view argument);
Named<store::ConversationRow> conversation_named(const Call& call, std::string_view argument);
Named<store::ConversationRow> session_named(const Call& call, std::string_view argument);
// Empty where the argument is left out. Times are as search::parse_moment reads them.
enum class Edge { from, to };
Named<std::optional<Millis>> moment_named(const Call& call, std::string_view argument, Edge edge);

// What could not be answered, with what to do about it.
json::object no_answer(const Call& call, const Error& error);

}  // namespace weft::mcp
