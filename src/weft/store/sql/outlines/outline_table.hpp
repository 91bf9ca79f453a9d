// The late table `outlines`: the outline of each conversation in pages (outline/outline_page.hpp),
// so that 100,000 blocks are a few hundred rows.
#pragma once

#include "weft/store/sql/outlines/outline_pages.hpp"

namespace weft::store::sql {

const LateTable& outline_table();

// Computes the pages of a conversation and replaces those that it has.
Status fill_outline(LateContext& with, Id conversation);

// Finds parents that were not stored when the page was written.
Status resolve_parents(const Database& database, const Words& words, std::vector<TurnItem>& turns);

}  // namespace weft::store::sql
