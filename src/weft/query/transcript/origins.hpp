// Origins: what a conversation rests on without holding it. `weft resume` copies blocks into a new
// conversation, and leaves out others that caused them.
#pragma once

#include <vector>

#include "weft/query/library.hpp"

namespace weft::query {

// The conversations that hold the causes which `conversation` has not, and theirs in turn. Empty
// for one that continues no other.
Result<std::vector<store::ConversationRow>> origins_of(const Library& library,
                                                       const store::ConversationRow& conversation);

}  // namespace weft::query
