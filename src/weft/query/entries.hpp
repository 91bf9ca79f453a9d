// A session as people read it: the entries of a conversation, and of its subagents between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/transcript/entry.hpp"

namespace weft::query {

struct EntriesOptions {
  std::optional<std::string> role{};      // "user" or "human", "assistant", "tool", "system"
  std::optional<std::string> source{};    // "primary", "subagent:ID"
  std::optional<std::uint64_t> latest{};  // the last so many
};

// By time; those of one source stay in their order. Of a session's main conversation, with those
// of its subagents.
Result<std::vector<transcript::TranscriptEntry>> entries(const Library& library,
                                                         const store::ConversationRow& row,
                                                         const EntriesOptions& options);

}  // namespace weft::query
