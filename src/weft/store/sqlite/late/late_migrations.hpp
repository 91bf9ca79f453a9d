// The migrations from version 9 on, which add late tables (late_table.hpp) and what else is filled
// afterwards.
#pragma once

#include <span>

#include "weft/store/sqlite/schema.hpp"

namespace weft::store::sql {

// The first migrates version 9 to 10.
std::span<const Migration> late_migrations();

}  // namespace weft::store::sql
