// The checks of a store's tables, and what rebuilds each of them. One rule, used by both: a check
// compares what a table has with what it should have, and a rebuild writes the difference.
//
// All of them read and write in the transaction of the caller.
#pragma once

#include <string_view>
#include <vector>

#include "weft/store/sql/derived/finding_list.hpp"
#include "weft/store/sql/edges/edges.hpp"
#include "weft/store/sql/late/late_table.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::store::sql {

// One connection and its caches. For one thread at a time.
struct Derivation {
  explicit Derivation(const Database& connection)
      : database(connection), edges(connection.edges()), words(connection) {}

  LateContext late() { return {database, edges, words, keyring}; }

  const Database& database;
  Edges& edges;
  Words words;
  const crypto::Keyring* keyring = nullptr;  // for what tables say of sealed layers
};

// The content of a checkpoint, by its id. Empty if it is none, or cannot
// be read.
std::optional<thought::Checkpoint> find_checkpoint(Derivation& from, Id id);

// --- sum_checks.cpp ----------------------------------------------------------------------------
// The sum of a table. Nothing is found where it has none yet.
Status check_sum(Derivation& from, std::string_view table, FindingList& out);

// --- pair_tables.cpp ---------------------------------------------------------------------------
// `effects` from the references of thoughts.
Status check_effects(Derivation& from, FindingList& out);
Status rebuild_effects(Derivation& from);

// --- name_checks.cpp ---------------------------------------------------------------------------
// The name index from `names` and from the columns of nameless connections.
Status check_names(Derivation& from, FindingList& out);
Status rebuild_names(Derivation& from);

// --- conversation_rows.cpp ---------------------------------------------------------------------
// `conversations` from their thoughts and from what they hold.
Status check_conversations(Derivation& from, FindingList& out);
// Precondition: `runs` and `shares` are as they were.
Status rebuild_conversations(Derivation& from);

// --- run_checks.cpp ----------------------------------------------------------------------------
// That runs do not overlap, and that what holds and is held is stored.
Status check_runs(Derivation& from, FindingList& out);
// Fills the gaps that removed runs have left, by the checkpoints that stand in them.
Status rebuild_runs(Derivation& from);

// --- log_checks.cpp ----------------------------------------------------------------------------
// `checkpoints` and `tombstones` from the thoughts that they list.
Status check_log(Derivation& from, FindingList& out);
Status rebuild_log(Derivation& from);
Status check_tombstones(Derivation& from, FindingList& out);
Status rebuild_tombstones(Derivation& from);

// --- document_checks.cpp -----------------------------------------------------------------------
// Documents from the thoughts that they are, and the pages of the index. RowWriter::index_all()
// rebuilds them.
Status check_documents(Derivation& from, FindingList& out);

// --- late_checks.cpp ---------------------------------------------------------------------------
// What late tables say of conversations, from their thoughts (late_table.hpp).
Status check_late(Derivation& from, FindingList& out);
Status rebuild_late(Derivation& from);

}  // namespace weft::store::sql
