// Late tables: rows computed from the thoughts of each conversation, in tables that may have come
// after the thoughts.
//
// The migration that adds such a table only creates it, empty, and marks it `behind`. Commits keep
// the rows of conversations that have theirs; fill() computes the others, newest conversations
// first. A conversation has its rows if the table of the late table's name has a row for it, under
// the key `conversation`.
//
// A new late table is a file that defines a LateTable, a line in late_tables.cpp, and a migration
// that creates its tables and adds its row to `late_tables`.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/outline/statement.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/derived/finding_list.hpp"
#include "weft/store/sql/edges/edges.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/store/tables/block_tally.hpp"
#include "weft/store/tables/call_edits.hpp"
#include "weft/store/tables/secret_list.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store::sql {

// What rows are computed with: one connection, in the caller's transaction. Borrows everything.
struct LateContext {
  const Database& database;
  Edges& edges;
  Words& words;
  const crypto::Keyring* keyring = nullptr;  // null: layers stay sealed

  // Whether what is computed is complete as far as anybody here can open it.
  bool opens_all() const {
    return keyring != nullptr && keyring->layer(crypto::Layer::metadata) != nullptr &&
           keyring->layer(crypto::Layer::content) != nullptr;
  }
};

// What one commit stored for a conversation. All of it is in the tables already.
struct LateAddition {
  struct NewThought {
    Id id = 0, author = 0;
    std::optional<Id> first_cause{};
    std::vector<Id> causes{};  // each once
    const thought::Thought* thought = nullptr;
    // Null for what is no block, and if they were not prepared.
    const BlockTally* tally = nullptr;
    const Statement* statement = nullptr;
    // Of a request whose arguments state an edit; null for others, and if it was not prepared.
    const CallEdits* call = nullptr;
    const ThoughtSecrets* secrets = nullptr;  // null if they were not prepared
  };
  Id conversation = 0, creator = 0;
  bool is_new = false;                     // the conversation came with it
  std::span<const NewThought> thoughts{};  // sorted by id
  std::span<const Edge> edges{};           // sorted by id
  std::span<const Id> shared{};  // stored before, and held by the conversation from now on

  // Null for a thought that it did not store.
  const NewThought* find(Id id) const;
};

struct LateTable {
  std::string_view name;
  std::int64_t version;                  // rows of another version are computed again
  std::vector<std::string_view> tables;  // all that it writes
  Sql has_row;                           // EXISTS …, one parameter: the conversation
  Sql missing;  // id and blocks of conversations without a row, newest first
  Sql count;    // how many conversations have a row
  Sql clear;    // deletes the rows of all conversations

  // Computes the rows of a conversation from its thoughts and replaces those that it has.
  Status (*fill)(LateContext& with, Id conversation);
  // Adds what a commit added, at a cost that depends on the addition alone. Called if the
  // conversation has its rows, or is new.
  Status (*add)(LateContext& with, const LateAddition& addition);
  // Removes the rows of a conversation, if there are any.
  Status (*remove)(LateContext& with, Id conversation);
  // Computes the rows of a conversation and compares them with those that are stored. Parts that
  // the keyring does not open are not compared.
  Status (*check)(LateContext& with, Id conversation, FindingList& out);
};

// All of them.
std::span<const LateTable> late_tables();

// Whether the store has a late table, in the version of this weft: otherwise its rows do not count.
Result<bool> has_late_table(const Database& database, const LateTable& table);

// How many conversations have their rows in a table. Of a store without it, none.
struct LateState {
  std::int64_t done = 0, all = 0;
};
Result<LateState> late_state(const Database& database, const LateTable& table);
// Of the table that is farthest behind.
Result<LateState> late_state(const Database& database);

// --- in the writer's transaction -----------------------------------------------------------------
// Adds a commit's addition to all late tables. Where the keys for it are missing, the conversation
// loses its rows instead, and is behind until fill().
Status add_to_late_tables(LateContext& with, const LateAddition& addition);
// Computes the rows of conversations that were changed in another way, in all late tables in which
// they had some.
Status refill_late_tables(LateContext& with, std::span<const Id> conversations);
// Removes the rows of conversations.
Status remove_from_late_tables(LateContext& with, std::span<const Id> conversations);
// Computes missing rows until `is_over` returns true, at least those of one conversation. False if
// none is missing.
Result<bool> fill_late_tables(LateContext& with, const std::function<bool()>& is_over);

// --- for checks ----------------------------------------------------------------------------------
Status check_late_tables(LateContext& with, FindingList& out);
Status rebuild_late_tables(LateContext& with);

}  // namespace weft::store::sql
