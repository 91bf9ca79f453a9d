// The steps from each version of the tables on a server to the next, as statements.
#pragma once

#include <span>
#include <string_view>

namespace weft::store::sql {

// The step at `n` leads from version n to n + 1; the first one makes the tables. $TEXT, $BYTES and
// $COUNTED stand for TypeNames. A step that was released is never edited.
std::span<const std::string_view> table_steps();

}  // namespace weft::store::sql
