// Outlines of conversations (outline/conversation_outline.hpp) as the rows of thoughts and the
// pages of connections give them.
#pragma once

#include <optional>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/outline/outline_page.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/edges/edges.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/store/sql/read/thought_columns.hpp"

namespace weft::store::sql {

// One connection to the database. Borrows everything.
struct OutlineRows {
  const Database& database;
  Edges& edges;
  const Words& words;
  const Names& names;
};

// The turns and places of a conversation, sorted by their connections; without has_cause. Reads
// each page of connections once, because 100,000 blocks are spread over thousands of pages.
// not_found if a turn is not stored.
Result<OutlineItems> read_items(const OutlineRows& with, Id conversation, Id creator);
// Turns and entries in reading order, computed.
Result<ConversationOutline> read_outline(const OutlineRows& with, Id conversation, Id creator);

// What the content of a turn says for outlines.
struct TurnContent {
  std::uint64_t sequence = 0;
  std::optional<Cid> parent{};
};
TurnContent turn_content(const json::object& content);
Result<TurnContent> read_turn_content(std::string_view body, Id turn);
// With its sequence and its parent.
Result<TurnItem> to_turn(const Names& names, const TurnContent& content);

// Reads rows of thoughts by id, fast if the ids grow. One at a time on a connection.
class ThoughtCursor {
 public:
  explicit ThoughtCursor(const Database& database) : database_(database) {}

  // Goes to a thought. not_found.
  Status seek(Id id);
  // Where seek() went. Valid until the next.
  ThoughtColumns row() const { return ThoughtColumns::of(*rows_); }

 private:
  const Database& database_;
  std::optional<Rows> rows_{};
  Id at_ = 0;
};

// What is known of a block. Layers that the keyring, which may be null, does not open are closed.
Result<BlockRecord> read_record(const OutlineRows& with, const ThoughtColumns& row,
                                const crypto::Keyring* keyring);
// The facts of a block. `is_closed` says whether a layer of it does not open for the reader.
Result<BlockFacts> to_facts(const OutlineRows& with, const BlockRecord& record, bool is_closed);

}  // namespace weft::store::sql
