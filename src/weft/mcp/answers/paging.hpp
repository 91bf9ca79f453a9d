// Keeping long lists within what an answer may have: texts in it are cut by told(), elements are
// left out here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "weft/mcp/protocol/call.hpp"

namespace weft::mcp {

// What the elements of an answer to this call may have, in characters of JSON: its max_chars, and
// some room for what stands around them.
std::uint64_t room_in(const Call& call);

// What the JSON of a value has at least, in bytes, however much its texts are cut by told().
std::size_t least_chars(const json::value& value);
std::size_t least_chars(const json::object& object);

// Tells of one thought after another whether it still has room, its texts cut, in so many bytes for
// all of them: for query::WhyOptions::has_room.
std::function<bool(const json::object& thought)> room_for(std::uint64_t chars);

// Leaves out elements at the end of the list for which there is no room, their texts cut; the first
// stays. True if any was left out.
bool leave_out(json::object& structured, std::string_view list, std::uint64_t room);

// How the text of a list of conversations begins: "Sessions, newest change first: 1 to 20 of 113.",
// and the call that shows more; a sentence if there are none.
std::string list_head(std::string_view what, std::string_view tool, const json::object& answer,
                      const json::object& arguments);

// As `response_format: concise` wants thoughts: without signatures, their texts cut.
void make_concise(json::object& thought);

}  // namespace weft::mcp
