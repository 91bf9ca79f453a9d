#include <algorithm>
#include <array>
#include <limits>

#include "weft/base/try.hpp"
#include "weft/store/sql/edits/edit_table.hpp"
#include "weft/store/sql/late/catalogue_table.hpp"
#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/sql/late/request_table.hpp"
#include "weft/store/sql/late/tally_table.hpp"
#include "weft/store/sql/outlines/outline_table.hpp"
#include "weft/store/sql/secrets/secret_table.hpp"

namespace weft::store::sql {
namespace {

// Reading a conversation with more blocks takes so long that nobody should wait for the lock
// meanwhile: it is read before anything is written.
constexpr std::int64_t kManyBlocks = 2'000;

Result<std::int64_t> read_number(Rows rows) {
  const std::int64_t number = rows.next() ? rows.integer(0) : 0;
  WEFT_TRY(rows.status());
  return number;
}

struct TableState {
  std::int64_t version = 0;
  bool is_behind = false;
};
// Precondition: the store has the newest version, as every store has that is written to.
Result<std::optional<TableState>> read_state(const Database& database, std::string_view name) {
  Rows rows = database.query("SELECT version, behind FROM late_tables WHERE name = ?", name);
  std::optional<TableState> state;
  if (rows.next()) state = TableState{rows.integer(0), rows.integer(1) != 0};
  WEFT_TRY(rows.status());
  return state;
}

// Empty in a store that does not have the table.
Result<std::optional<TableState>> find_state(const Database& database, std::string_view name) {
  WEFT_TRY_VALUE(const bool is_known, database.backend().has_table("late_tables"));
  if (!is_known) return std::nullopt;
  return read_state(database, name);
}

Status set_behind(const LateContext& with, const LateTable& table, bool is_behind) {
  return with.database.run("UPDATE late_tables SET behind = ?2 WHERE name = ?1 AND behind <> ?2",
                           table.name, std::int64_t{is_behind});
}

Result<bool> has_rows(const LateContext& with, const LateTable& table, Id conversation) {
  WEFT_TRY_VALUE(const auto found, read_number(with.database.query(table.has_row, conversation)));
  return found != 0;
}

Status leave_behind(LateContext& with, const LateTable& table, Id conversation) {
  WEFT_TRY(table.remove(with, conversation));
  return set_behind(with, table, true);
}

// Those that hold a thought.
Result<std::vector<Id>> holders_of(const LateContext& with, Id thought) {
  std::vector<Id> holders;
  Rows rows = with.database.query(
      "SELECT conversation FROM shares WHERE thought = ?1 UNION "
      "SELECT conversation FROM (SELECT conversation, last FROM runs WHERE first <= ?1 "
      "ORDER BY first DESC LIMIT 1) AS run WHERE last >= ?1",
      thought);
  while (rows.next()) holders.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return holders;
}

// Without all keys nobody knows what a sealed or a replaced block counts for.
Status add_without_keys(LateContext& with, const LateTable& table, const LateAddition& addition) {
  bool is_sealed = std::ranges::any_of(addition.thoughts, [](const auto& added) {
    return added.thought->layers.metadata || added.thought->layers.content;
  });
  WEFT_TRY_VALUE(const auto supersedes, with.words.find_id("supersedes"));
  for (const Edge& edge : addition.edges) {
    if (edge.relation != supersedes) continue;
    is_sealed = true;
    WEFT_TRY_VALUE(const auto holders, holders_of(with, edge.to));
    for (const Id holder : holders) WEFT_TRY(leave_behind(with, table, holder));
  }
  if (is_sealed) return leave_behind(with, table, addition.conversation);
  Status added = table.add(with, addition);
  if (!added && added.error().code == ErrorCode::denied) {
    return leave_behind(with, table, addition.conversation);
  }
  return added;
}

Result<std::vector<Id>> all_conversation_ids(const LateContext& with) {
  std::vector<Id> ids;
  Rows rows = with.database.query("SELECT id FROM conversations ORDER BY id");
  while (rows.next()) ids.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return ids;
}

struct MissingRow {
  Id conversation = 0;
  std::int64_t blocks = 0;
};
Result<std::vector<MissingRow>> find_missing(const LateContext& with, const LateTable& table) {
  std::vector<MissingRow> missing;
  Rows rows = with.database.query(table.missing);
  while (rows.next()) missing.push_back({rows.integer(0), rows.integer(1)});
  WEFT_TRY(rows.status());
  return missing;
}

// Rows of another version do not count: they are computed again.
Status renew(const LateContext& with, const LateTable& table, const TableState& state) {
  if (state.version == table.version) return {};
  WEFT_TRY(with.database.run(table.clear));
  return with.database.run("UPDATE late_tables SET version = ?, behind = 1 WHERE name = ?",
                           table.version, table.name);
}

}  // namespace

const LateAddition::NewThought* LateAddition::find(Id id) const {
  const auto found = std::ranges::lower_bound(thoughts, id, {}, &NewThought::id);
  return found != thoughts.end() && found->id == id ? &*found : nullptr;
}

std::span<const LateTable> late_tables() {
  static const std::array tables = {catalogue_table(), tally_table(), request_table(),
                                    outline_table(),   edit_table(),  secret_table()};
  return tables;
}

Result<bool> has_late_table(const Database& database, const LateTable& table) {
  WEFT_TRY_VALUE(const auto state, find_state(database, table.name));
  return state && state->version == table.version;
}

Result<LateState> late_state(const Database& database, const LateTable& table) {
  LateState out;
  WEFT_TRY_VALUE(out.all, read_number(database.query("SELECT count(*) FROM conversations")));
  WEFT_TRY_VALUE(const auto state, find_state(database, table.name));
  if (!state || state->version != table.version) return out;
  out.done = out.all;
  if (state->is_behind) {
    WEFT_TRY_VALUE(out.done, read_number(database.query(table.count)));
  }
  return out;
}

Result<LateState> late_state(const Database& database) {
  LateState least{.done = std::numeric_limits<std::int64_t>::max()};
  for (const LateTable& table : late_tables()) {
    WEFT_TRY_VALUE(const LateState state, late_state(database, table));
    if (state.done < least.done) least = state;
  }
  return least;
}

Status add_to_late_tables(LateContext& with, const LateAddition& addition) {
  for (const LateTable& table : late_tables()) {
    WEFT_TRY_VALUE(const auto state, read_state(with.database, table.name));
    if (!state || state->version != table.version) continue;
    if (!addition.is_new) {
      WEFT_TRY_VALUE(const bool is_done, has_rows(with, table, addition.conversation));
      if (!is_done) continue;
    }
    Status added =
        with.opens_all() ? table.add(with, addition) : add_without_keys(with, table, addition);
    if (!added) return added;
  }
  return {};
}

Status refill_late_tables(LateContext& with, std::span<const Id> conversations) {
  for (const LateTable& table : late_tables()) {
    WEFT_TRY_VALUE(const bool is_current, has_late_table(with.database, table));
    if (!is_current) continue;
    for (const Id conversation : conversations) {
      WEFT_TRY(with.opens_all() ? table.fill(with, conversation)
                                : leave_behind(with, table, conversation));
    }
  }
  return {};
}

Status remove_from_late_tables(LateContext& with, std::span<const Id> conversations) {
  for (const LateTable& table : late_tables()) {
    WEFT_TRY_VALUE(const auto state, find_state(with.database, table.name));
    if (!state) continue;
    for (const Id conversation : conversations) WEFT_TRY(table.remove(with, conversation));
  }
  return {};
}

Result<bool> fill_late_tables(LateContext& with, const std::function<bool()>& is_over) {
  if (!with.opens_all()) return false;
  bool has_written = false;
  for (const LateTable& table : late_tables()) {
    WEFT_TRY_VALUE(auto state, find_state(with.database, table.name));
    if (!state) continue;
    if (state->version == table.version && !state->is_behind) continue;
    WEFT_TRY(renew(with, table, *state));
    WEFT_TRY_VALUE(const auto missing, find_missing(with, table));
    if (missing.empty()) WEFT_TRY(set_behind(with, table, false));
    for (const MissingRow& row : missing) {
      if (has_written && (is_over() || row.blocks > kManyBlocks)) return true;
      WEFT_TRY(table.fill(with, row.conversation));
      has_written = true;
    }
    if (!missing.empty()) return true;
  }
  return false;
}

namespace {

// A store that has late tables at all has a row for each of them, or for those of its version.
Status check_for_state(const LateContext& with, const LateTable& table, FindingList& out) {
  WEFT_TRY_VALUE(const bool is_kept, with.database.backend().has_table(table.tables.front()));
  WEFT_TRY_VALUE(const bool has_states, with.database.backend().has_table("late_tables"));
  if (is_kept && has_states) {
    out.add("late_tables", "the state of the table " + std::string(table.name) + " is missing");
  }
  return {};
}

// A row that was removed. Nothing that the table has counts until it is filled again.
Status bring_back_state(const LateContext& with, const LateTable& table) {
  WEFT_TRY_VALUE(const auto state, find_state(with.database, table.name));
  WEFT_TRY_VALUE(const bool is_kept, with.database.backend().has_table(table.tables.front()));
  if (state || !is_kept) return {};
  return with.database.run("INSERT INTO late_tables (name, version, behind) VALUES (?, ?, 1)",
                           table.name, table.version);
}

}  // namespace

Status check_late_tables(LateContext& with, FindingList& out) {
  WEFT_TRY_VALUE(const auto ids, all_conversation_ids(with));
  for (const LateTable& table : late_tables()) {
    WEFT_TRY_VALUE(const auto state, find_state(with.database, table.name));
    if (!state) WEFT_TRY(check_for_state(with, table, out));
    if (!state || state->version != table.version) continue;
    std::int64_t done = 0;
    for (const Id id : ids) {
      WEFT_TRY_VALUE(const bool is_done, has_rows(with, table, id));
      if (!is_done) continue;
      ++done;
      WEFT_TRY(table.check(with, id, out));
    }
    if (!state->is_behind && done < static_cast<std::int64_t>(ids.size())) {
      out.add(table.name, "conversations are missing that it should have");
    }
    WEFT_TRY_VALUE(const auto rows, read_number(with.database.query(table.count)));
    if (rows > done) out.add(table.name, "it has rows of conversations that are not there");
  }
  return {};
}

Status rebuild_late_tables(LateContext& with) {
  WEFT_TRY_VALUE(const auto ids, all_conversation_ids(with));
  for (const LateTable& table : late_tables()) {
    WEFT_TRY(bring_back_state(with, table));
    WEFT_TRY_VALUE(const bool is_current, has_late_table(with.database, table));
    if (!is_current) continue;
    WEFT_TRY(with.database.run(table.clear));
    WEFT_TRY(set_behind(with, table, true));
    if (!with.opens_all()) continue;
    for (const Id id : ids) WEFT_TRY(table.fill(with, id));
    WEFT_TRY(set_behind(with, table, false));
  }
  return {};
}

}  // namespace weft::store::sql
