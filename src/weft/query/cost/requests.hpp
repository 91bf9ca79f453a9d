// Copies of model requests: finds them over several conversations, so that each counts once.
#pragma once

#include <vector>

#include "weft/store/tables/tables.hpp"

namespace weft::query {

// How copies are told from requests of their own.
enum class CopyRule {
  // A request that a fork or resumed session copied counts once, at its first holder: the oldest
  // conversation. So does one that a sidechain repeats under another request id.
  first_holder,
  // As ccusage does: copies are looked for within one session only.
  by_session,
};

// Removes copies from `all`. Within each conversation, requests are in the order of their times.
void drop_copies(std::vector<store::ConversationRequests>& all, CopyRule rule);

}  // namespace weft::query
