// The checks of a store in SQLite beside those of what follows from thoughts, and what rebuilds it.
#pragma once

#include <span>

#include "weft/store/sql/derived/all_checks.hpp"

namespace weft::store::sql {

// See Backend::checks.
std::span<const Recomputed> sqlite_checks();

// --- edge_end_checks.cpp -----------------------------------------------------------------------
// `edge_ends` from the pages of connections.
Status check_edge_ends(Derivation& from, FindingList& out);
Status rebuild_edge_ends(Derivation& from);

}  // namespace weft::store::sql
