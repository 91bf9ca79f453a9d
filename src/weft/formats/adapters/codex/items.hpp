// Response items: what the model saw and said. An item says who speaks and what; where it
// stands, and whether an event has told it already, is for the session to know.
#pragma once

#include <optional>
#include <string>

#include "weft/formats/adapters/codex/utterance.hpp"
#include "weft/formats/apis/openai/item_parts.hpp"

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

}  // namespace weft::formats::codex
