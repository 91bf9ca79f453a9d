// Keeping long lists within what an answer may have: texts in it are cut by told(), elements are
// left out here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weft/mcp/call.hpp"

namespace weft::mcp {

// What the elements of an answer to this call may have, in characters of JSON: its max_chars, and
// some room for what stands around them.
std::uint64_t room_in(const Call& call);

// Leaves out elements at the end of the list for which there is no room; the first stays. A long
// element counts as a thousand characters, for its texts can be cut. True if any was left out.
bool leave_out(json::object& structured, std::string_view list, std::uint64_t room);

// As `response_format: concise` wants thoughts: without signatures, their texts cut.
void make_concise(json::object& thought);

}  // namespace weft::mcp
