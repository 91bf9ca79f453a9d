// The leaves of trees, found by row ids: a checkpoint's leaves are ranges of ids, which determine
// the checkpoint that signs a row, and its leaf.
#pragma once

#include <string_view>
#include <vector>

#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/edges/edges.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/thought/connection.hpp"

namespace weft::store::sql {

// The leaves of a checkpoint's tree; empty if they are not stored. A deleted one is Cid(): the name
// of a nameless connection is deleted with it, or with that of an end. corrupt if they cannot be
// read.
Result<std::vector<Cid>> read_leaves(const Database& database, Edges& edges, const Names& names,
                                     const Words& words, Id checkpoint);

// A connection without its signature.
Result<thought::Connection> to_bare_connection(const Edge& edge, const Names& names,
                                               const Words& words);

// Stored signatures. An empty one means: through the tree, at its own leaf.
class Signatures {
 public:
  // `database` outlives it.
  explicit Signatures(const Database& database) : database_(&database) {}

  // The signature of the row `id`. corrupt if no tree has it.
  Result<PackedSignature> unpack(Id id, std::string_view bytes);
  // Clears the cache: call it after stored leaves were changed.
  void forget() { leaves_.clear(); }

 private:
  const Database* database_;
  // The newest checkpoint before the row of the last call.
  Id checkpoint_ = 0;
  std::vector<Range> leaves_;
};

}  // namespace weft::store::sql
