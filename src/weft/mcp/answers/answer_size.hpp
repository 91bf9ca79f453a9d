// The size rules of answers: how far texts are cut, and how much room their lists have. An answer
// has at most max_chars characters of JSON, and its text for the model no more than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "weft/mcp/protocol/call.hpp"

namespace weft::mcp {

// The size to which this call's answer is cut: its argument max_chars, or the default.
std::size_t max_chars_of(const Call& call);

// The room for the elements of this call's answer, in characters of JSON: max_chars_of(), less some
// for the rest of the answer.
std::uint64_t room_in(const Call& call);

// The smallest size of a value's JSON in bytes: after fit() has cut its texts as far as it can.
std::size_t least_chars(const json::value& value);
std::size_t least_chars(const json::object& object);

// Cuts texts in `value`, the longest first and all to one length, until its JSON has at most `most`
// bytes, as far as cutting texts can do that. Each cut text notes how much is missing. CIDs,
// signatures and other short texts stay whole. True if anything was cut.
bool fit(json::object& value, std::size_t most);

// Cut to at most `most` bytes between characters, with a note at the end.
std::string fitted(std::string_view text, std::size_t most);

}  // namespace weft::mcp
