// Forks: conversations that were forked or resumed from another one, with the share of blocks that
// they have in common with it.
#pragma once

#include "weft/query/library.hpp"

namespace weft::page {

// Adds `fork: {of, shared, blocks}` to those of a list (query::list) that are one. Others cost one
// look at their connections.
Status add_forks(const query::Library& library, json::array& conversations);

}  // namespace weft::page
