// Detects the conversations that grew since the last check, whichever process wrote them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::query {

struct GrownConversation {
  store::ConversationRow row;
  std::uint64_t new_thoughts = 0;
};

// For one thread at a time. What the library points to outlives it.
class ChangeFeed {
 public:
  explicit ChangeFeed(const Library& library) : library_(library) {}

  // Records the present state without reporting it.
  Status skip();
  // Those with more thoughts than at the last call, in the order of their last commit. Reads only
  // conversations committed to since; all of them once the checkpoint in between was forgotten.
  Result<std::vector<GrownConversation>> next();

 private:
  Library library_;
  std::optional<Cid> checkpoint_;                // the newest at the last call
  std::map<Cid, std::uint64_t> thought_counts_;  // by conversation
};

}  // namespace weft::query
