// Prints what came of a thought in the code (query/commits/changes.hpp) for people.
//
//   edits
//     3f2a91c0b1d2  2026-11-18 14:02  change  src/loom.py  in a1b2c3d
//   commits
//     a1b2c3d  2026-11-18  Ada  Weave backwards
//   lines that stand today: 4
//     src/loom.py:11-14  in a1b2c3d  by 3f2a91c0b1d2  replayed (certain)
//
// No row is wider than the page.
#pragma once

#include "weft/cli/app/context.hpp"
#include "weft/query/commits/changes.hpp"

namespace weft::cli {

void print_changes(const Context& context, const json::object& changes);

}  // namespace weft::cli
