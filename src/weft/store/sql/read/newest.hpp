// The newest checkpoint and facts of a conversation. Only those of its creator count: stores that
// were written before weft checked this may name a stranger's.
#pragma once

#include <optional>

#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

struct Newest {
  std::optional<Id> creator{};  // empty if the conversation's own thought is not stored
  std::optional<Id> checkpoint{}, facts{};
};

// All members are empty for an unknown conversation.
Result<Newest> newest_of(const Database& database, Id conversation);

}  // namespace weft::store::sql
