// Parses response items: the content that the model read or wrote. The session reader decides
// where it belongs, and whether an event has been emitted for it already.
#pragma once

#include <optional>
#include <string>

#include "weft/formats/adapters/codex/item_content.hpp"
#include "weft/formats/apis/openai/item_parts.hpp"

namespace weft::formats::codex {

// Never fails: an item of an unknown type becomes Unknown and keeps everything but its ids. An item
// without content has no blocks.
ItemContent parse_item(const json::object& item, Prompter prompter);

// Whether items of this type are data of the harness itself.
bool is_internal_item(std::string_view type);

// The id of the call that an item makes or answers; empty if it has none.
std::string call_of(const json::object& item);

// Whether it is a call that starts another agent.
bool is_spawn(const transcript::Body& body);

}  // namespace weft::formats::codex
