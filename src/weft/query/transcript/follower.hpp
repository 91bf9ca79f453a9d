// Follows a session: returns its existing entries, then the new ones.
#pragma once

#include <map>
#include <vector>

#include "weft/query/transcript/entries.hpp"
#include "weft/query/transcript/entry_stream.hpp"

namespace weft::query {

class Follower {
 public:
  // For a session's main conversation with its subagents, including those that begin later.
  // `library` outlives it.
  Follower(const Library& library, store::ConversationRow row, EntriesOptions options);

  // The first call returns all existing entries, as entries() does; later ones the new entries, by
  // time. A returned entry never changes: see EntryStream.
  Result<std::vector<transcript::TranscriptEntry>> next();

 private:
  Result<std::vector<StreamEntry>> read(const store::ConversationRow& row);

  const Library& library_;
  store::ConversationRow row_;
  EntriesOptions options_;
  bool is_first_ = true;
  std::map<Cid, EntryStream> streams_;
};

}  // namespace weft::query
