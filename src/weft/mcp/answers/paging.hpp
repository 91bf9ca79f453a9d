// Keeps long lists within the maximum size of an answer: told() cuts texts, the functions here
// leave out elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "weft/mcp/protocol/call.hpp"

namespace weft::mcp {

// The space for the elements of this call's answer, in characters of JSON: its max_chars, less some
// room for the rest of the answer.
std::uint64_t room_in(const Call& call);

// The smallest size of a value's JSON in bytes, after told() has cut its texts as far as it can.
std::size_t least_chars(const json::value& value);
std::size_t least_chars(const json::object& object);

// Counts one thought after another against a budget of bytes, with their texts cut: for
// query::WhyOptions::has_room.
std::function<bool(const json::object& thought)> room_for(std::uint64_t chars);

// Removes elements at the end of the list that do not fit, with their texts cut; the first stays.
// True if any was removed.
bool leave_out(json::object& structured, std::string_view list, std::uint64_t room);

// The beginning of the text of a list of conversations: "Sessions, most recently changed first: 1
// to 20 of 113.", and the call that shows more; a sentence if the list is empty.
std::string list_head(std::string_view what, std::string_view tool, const json::object& answer,
                      const json::object& arguments);

// For `response_format: concise`: thoughts without signatures, their texts cut.
void make_concise(json::object& thought);

}  // namespace weft::mcp
