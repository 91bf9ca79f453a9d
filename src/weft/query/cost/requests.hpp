// Reads the model requests of conversations from their usage thoughts, and decides which of several
// statements of one request counts.
#pragma once

#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"
#include "weft/thought/usage.hpp"

namespace weft::query {

// The requests of one conversation.
struct ConversationRequests {
  store::ConversationRow row;
  // Each once, with the counts of its best statement (thought/usage.hpp), by time.
  std::vector<thought::CountedRequest> requests{};
  bool is_sealed = false;  // some of them are sealed, and there is no key
};

// How copies are told from requests of their own.
enum class CopyRule {
  // A request that a fork or resumed session copied counts once, at its first holder: the oldest
  // conversation. So does one that a sidechain repeats under another request id.
  first_holder,
  // As ccusage does: copies are looked for within one session only.
  by_session,
};

Result<ConversationRequests> requests_of(const Library& library, const store::ConversationRow& row);

// Removes copies from `all`.
void drop_copies(std::vector<ConversationRequests>& all, CopyRule rule);

}  // namespace weft::query
