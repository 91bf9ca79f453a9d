// Reads one thought by its id, as far as tables of figures need it: type, time, author, content and
// layers, without its signature.
#pragma once

#include <optional>

#include "weft/store/sql/late/late_table.hpp"

namespace weft::store::sql {

struct StoredThought {
  Id type = 0, author = 0;
  std::optional<Id> first_cause{};
  thought::Thought
      thought{};  // with type, created_by (if it is sealed), created_at, content, layers
};
// Empty if it is not stored. Content and layers that cannot be read are left empty: `weft verify`
// reports them.
Result<std::optional<StoredThought>> find_stored(LateContext& with, Id id);

}  // namespace weft::store::sql
