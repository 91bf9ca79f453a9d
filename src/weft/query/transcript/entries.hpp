// The transcript entries of a session: those of a conversation, with its subagents' between them.
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
  std::optional<Millis> since{};          // at this time or later
  std::optional<std::uint64_t> latest{};  // only the last ones of the remaining
};

// By time; those of one source stay in their order. For a session's main conversation, with those
// of its subagents. Entries of a conversation that somebody else than the owner wove have `foreign:
// true` in their metadata.
Result<std::vector<transcript::TranscriptEntry>> entries(const Library& library,
                                                         const store::ConversationRow& row,
                                                         const EntriesOptions& options);

// --- the parts of it, for callers that combine them otherwise ------------------------------

// The conversation, and those of its subagents if it is a session's main one.
Result<std::vector<store::ConversationRow>> sources_of(const Library& library,
                                                       const store::ConversationRow& row);
// Merges several sources by time; each stays in its own order.
std::vector<transcript::TranscriptEntry> merged(
    std::vector<std::vector<transcript::TranscriptEntry>> sources);
// Keeps the wanted entries, by everything but their source.
void choose(std::vector<transcript::TranscriptEntry>& entries, const EntriesOptions& options);

}  // namespace weft::query
