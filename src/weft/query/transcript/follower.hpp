// A session as people read it while it grows: what is there, and then what comes.
#pragma once

#include <map>
#include <vector>

#include "weft/query/transcript/entries.hpp"
#include "weft/query/transcript/entry_stream.hpp"

namespace weft::query {

class Follower {
 public:
  // Of a session's main conversation with its subagents, those that begin later too. `library`
  // outlives it.
  Follower(const Library& library, store::ConversationRow row, EntriesOptions options);

  // The first time all that is there, as entries() tells it; then what has come since, by time. An
  // entry that was told does not change: EntryStream says what comes instead.
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
