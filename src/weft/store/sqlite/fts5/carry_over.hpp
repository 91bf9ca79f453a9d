// Carries the indexes of FTS5 over into runs of pages (inverted/inverted_index.hpp), a piece at a
// time, from their terms and positions: neither keys nor thoughts are needed.
//
// The migration to version 17 adds one empty run for each index, which will have all documents of
// then. Until it is complete, nobody reads it: FTS5 answers for these documents, and other runs for
// those that were added since. Each piece continues where the run ends, so a process that is killed
// loses one piece. When a run is complete it takes the place of FTS5 in one transaction. When all
// are, the tables of FTS5 are emptied piece by piece, and dropped.
//
// All within a transaction of the caller, for one thread at a time.
#pragma once

#include <functional>
#include <optional>

#include "weft/store/postings/postings.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// Prepares what is carried over, or removes the tables of FTS5 at once if they hold no document.
// Precondition: the tables of runs are there, and empty.
Status begin_carry_over(const PlainDatabase& database);

// The last document that FTS5 answers for; empty if an index is carried over. Precondition: the
// store has version 17 or later.
Result<std::optional<Document>> last_in_fts5(const PlainDatabase& database, Index index);

// Does a piece, until `is_over` returns true, and at least a little. Returns whether more is left.
// corrupt if FTS5's tables, or what was carried over, are damaged: then weft reindex helps.
Result<bool> carry_over(const PlainDatabase& database, const std::function<bool()>& is_over);

// Removes the tables of FTS5 and their sums; not an error if there are none.
Status remove_fts5(const PlainDatabase& database);

}  // namespace weft::store::sql
