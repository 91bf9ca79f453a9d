// The edits of the tool calls that rest on a thought, up to the next words of a person.
#pragma once

#include <vector>

#include "weft/query/edits/call_reader.hpp"

namespace weft::query {

struct EditsAfter {
  std::vector<MadeEdit> edits{};
  std::size_t sealed = 0;  // calls that the keyring does not open
};
// By time, also those of subagents. A call belongs to the nearest words of a person among its
// causes: what a summary of several exchanges leads on to does not count for the first of them.
// not_found if the thought is not stored.
Result<EditsAfter> edits_after(const Library& library, const Cid& thought,
                               const QueryControl& control);

}  // namespace weft::query
