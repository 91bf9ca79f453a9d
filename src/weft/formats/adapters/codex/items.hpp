// Response items: what the model saw and said. An item says who speaks and what; where it
// stands, and whether an event has told it already, is for the session to know.
#pragma once

#include <optional>
#include <string>

#include "weft/formats/adapters/codex/utterance.hpp"

namespace weft::formats::codex {

// Whether anybody in this conversation is a person. In a subagent's nobody is.
enum class People { yes, no };

// Never fails: what is of no known type is Unknown and keeps everything but its ids. Empty
// `said` where there is nothing to tell.
Utterance parse_item(const json::object& item, People people);

// Data that the harness keeps for itself among the items.
bool is_internal_item(std::string_view type);

// The call that an item makes or answers; empty where it does neither or names none.
std::string call_of(const json::object& item);

// A call that starts another agent.
bool is_spawn(const transcript::Body& body);

// "data:image/png;base64,…" with its bytes, any other URL as a reference.
transcript::Attachment image_of(std::string_view url);

// An Unknown without what only says where it stood, so that a fork's copy is the same thought.
transcript::Unknown unknown_of(std::string_view type, json::object object);

// A call of an MCP server's tool, by the name that the model calls it by.
std::string mcp_name(std::string_view server, std::string_view tool);

}  // namespace weft::formats::codex
