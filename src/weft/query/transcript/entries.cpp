#include "weft/query/transcript/entries.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/transcript/rebuild.hpp"

namespace weft::query {
namespace {

using transcript::TranscriptEntry;

bool is_wanted(const TranscriptEntry& entry, const EntriesOptions& options) {
  if (options.since && entry.created_at < *options.since) return false;
  // A person's entries have the role `user` here and `human` everywhere else.
  const auto role = options.role == "human" ? std::optional<std::string>("user") : options.role;
  return !role || to_string(entry.role) == *role;
}

}  // namespace

Result<std::vector<store::ConversationRow>> sources_of(const Library& library,
                                                       const store::ConversationRow& row) {
  if (row.source != "primary") return std::vector{row};
  WEFT_TRY_VALUE(auto rows,
                 library.web.conversations({.format = row.format, .session_id = row.session_id}));
  // A stranger's may have the same name.
  std::erase_if(rows, [&](const store::ConversationRow& other) {
    return other.created_by != row.created_by;
  });
  return rows;
}

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

void choose(std::vector<TranscriptEntry>& entries, const EntriesOptions& options) {
  std::erase_if(entries, [&](const TranscriptEntry& entry) { return !is_wanted(entry, options); });
  if (options.latest && *options.latest < entries.size()) {
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(*options.latest));
  }
}

Result<std::vector<TranscriptEntry>> entries(const Library& library,
                                             const store::ConversationRow& row,
                                             const EntriesOptions& options) {
  WEFT_TRY_VALUE(auto rows, sources_of(library, row));
  std::vector<std::vector<TranscriptEntry>> sources;
  Foreigners foreigners(library);
  for (const store::ConversationRow& source : rows) {
    if (options.source && source.source != *options.source) continue;
    WEFT_TRY_VALUE(auto conversation, rebuild(library, source));
    sources.push_back(transcript::entries_of(conversation, crypto::blake3));
    if (!foreigners.is_foreign_creator(source.created_by)) continue;
    for (TranscriptEntry& entry : sources.back()) entry.metadata[kForeign] = true;
  }
  std::vector<TranscriptEntry> all = merged(std::move(sources));
  choose(all, options);
  return all;
}

}  // namespace weft::query
