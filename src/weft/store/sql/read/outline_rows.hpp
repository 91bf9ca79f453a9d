// Outlines of conversations (outline/conversation_outline.hpp) as the rows of thoughts and the
// pages of connections give them.
#pragma once

#include <optional>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/outline/conversation_outline.hpp"
#include "weft/store/sql/read/thought_columns.hpp"
#include "weft/store/sqlite/edges/edges.hpp"
#include "weft/store/sqlite/names/names.hpp"

namespace weft::store::sql {

// One connection to the database. Borrows everything.
struct OutlineRows {
  const sqlite::Database& database;
  Edges& edges;
  const Words& words;
  const Names& names;
};

// Turns and entries of a conversation, in reading order. Reads each page of connections once,
// because 100,000 blocks are spread over thousands of pages.
Result<ConversationOutline> read_outline(const OutlineRows& with, Id conversation, Id creator);

// Reads rows of thoughts by id, fast if the ids grow. One at a time on a connection.
class ThoughtCursor {
 public:
  explicit ThoughtCursor(const sqlite::Database& database) : database_(database) {}

  // Goes to a thought. not_found.
  Status seek(Id id);
  // Where seek() went. Valid until the next.
  ThoughtColumns row() const { return ThoughtColumns::of(*rows_); }

 private:
  const sqlite::Database& database_;
  std::optional<sqlite::Rows> rows_{};
  Id at_ = 0;
};

// The facts of a block.
Result<BlockFacts> read_facts(const OutlineRows& with, const ThoughtColumns& row,
                              const crypto::Keyring* keyring);

}  // namespace weft::store::sql
