// Paging: keeps long lists within the size of an answer (answer_size.hpp) by leaving out elements,
// and names the call that gets the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "weft/mcp/answers/answer_size.hpp"

namespace weft::mcp {

// Counts one thought after another against a budget of bytes, with their texts cut: for
// query::TraceOptions::has_room.
std::function<bool(const json::object& thought)> room_for(std::uint64_t chars);

// Removes elements at the end of the list that do not fit, with their texts cut; the first stays.
// True if any was removed.
bool leave_out(json::object& structured, std::string_view list, std::uint64_t room);

// The beginning of the text of a list of conversations: "Sessions, most recently changed first: 1
// to 20 of 113.", and the call that shows more; a sentence if the list is empty.
std::string list_head(std::string_view what, std::string_view tool, const json::object& answer,
                      const json::object& arguments);

// The answer of a tool that lists conversations, as far as there is room; the refusal if the query
// failed. `render` makes its text.
Served<> list_answer(Call& call, Result<json::object> answer,
                     const std::function<std::string(const json::object& structured)>& render);

// For `response_format: concise`: thoughts without signatures, their texts cut.
void make_concise(json::object& thought);

}  // namespace weft::mcp
