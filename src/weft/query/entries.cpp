#include "weft/query/entries.hpp"

#include <algorithm>

#include "weft/crypto/blake3.hpp"
#include "weft/query/rebuild.hpp"

namespace weft::query {
namespace {

using transcript::TranscriptEntry;

// The conversation, and those of its subagents if it is a session's main one.
Result<std::vector<store::ConversationRow>> sources_of(const Library& library,
                                                       const store::ConversationRow& row) {
  if (row.source != "primary") return std::vector{row};
  return library.store.conversations({.format = row.format, .session_id = row.session_id});
}

// Several sources in one stream, by time; each stays in its own order.
std::vector<TranscriptEntry> merged(std::vector<std::vector<TranscriptEntry>> sources) {
  std::vector<TranscriptEntry> out;
  std::vector<std::size_t> next(sources.size());
  for (;;) {
    std::size_t first = sources.size();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (next[i] == sources[i].size()) continue;
      if (first == sources.size() ||
          sources[i][next[i]].created_at < sources[first][next[first]].created_at) {
        first = i;
      }
    }
    if (first == sources.size()) return out;
    out.push_back(std::move(sources[first][next[first]++]));
  }
}

bool is_wanted(const TranscriptEntry& entry, const EntriesOptions& options) {
  // A person's words have the role `user` here and are a human's everywhere else.
  const auto role = options.role == "human" ? std::optional<std::string>("user") : options.role;
  return !role || to_string(entry.role) == *role;
}

}  // namespace

Result<std::vector<TranscriptEntry>> entries(const Library& library,
                                             const store::ConversationRow& row,
                                             const EntriesOptions& options) {
  Result<std::vector<store::ConversationRow>> rows = sources_of(library, row);
  if (!rows) return fail(std::move(rows).error());
  std::vector<std::vector<TranscriptEntry>> sources;
  for (const store::ConversationRow& source : *rows) {
    if (options.source && source.source != *options.source) continue;
    Result<transcript::Conversation> conversation = rebuild(library, source);
    if (!conversation) return fail(std::move(conversation).error());
    sources.push_back(transcript::entries_of(*conversation, crypto::blake3));
  }
  std::vector<TranscriptEntry> all = merged(std::move(sources));
  std::erase_if(all, [&](const TranscriptEntry& entry) { return !is_wanted(entry, options); });
  if (options.latest && *options.latest < all.size()) {
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(*options.latest));
  }
  return all;
}

}  // namespace weft::query
