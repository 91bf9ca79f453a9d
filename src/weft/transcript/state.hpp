// Saved forms of the values of a conversation, for the states of readers and weavers
// (base/state_archive.hpp).
#pragma once

#include "weft/base/state_archive.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::transcript {

// By its name. An unknown one is refused.
json::value write_value(Role role);
StateFit read_value(const json::value& from, Role& role);

// [input, output, cache_read, cache_write]
inline auto state_row(Usage& usage) {
  return state_cells(usage.input, usage.output, usage.cache_read, usage.cache_write);
}

// [format, family, program, provider, session_id, source]
inline auto state_row(Heading& heading) {
  return state_cells(heading.format, heading.family, heading.program, heading.provider,
                     heading.session_id, heading.source);
}

// {"role", "id", "counted"}, and "parent" where it has one.
void archive(StateArchive& a, TurnHead& head);

}  // namespace weft::transcript
