// Summaries of reasoning that cannot be read: its provider withheld it, or the keyring does not
// open it.
#pragma once

#include <optional>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/library.hpp"

namespace weft::query {

// Whether a thought is reasoning, and `opened`, its JSON, does not show it.
bool is_unread_reasoning(const json::object& opened);

// The newest summary of a thinking, as {cid, text}. Empty if there is none, or if the keyring does
// not open it.
Result<std::optional<json::object>> find_summary(const Library& library, const Cid& thinking,
                                                 Foreigners& foreigners);

// Adds `summary: {cid, text}` to the JSON of unread reasoning that has one.
Status add_summary(const Library& library, const thought::Thought& thought, json::object& opened,
                   Foreigners& foreigners);

}  // namespace weft::query
