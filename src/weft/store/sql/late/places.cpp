#include "weft/store/sql/late/places.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {

Result<Id> Places::relation(std::string_view name, std::optional<Id>& id) {
  if (!id) {
    WEFT_TRY_VALUE(const auto found, with_.words.find_id(name));
    if (!found) return 0;
    id = found;
  }
  return *id;
}

Result<std::vector<std::pair<Id, Id>>> Places::contents(Id from, Id creator) {
  std::vector<std::pair<Id, Id>> found;
  WEFT_TRY_VALUE(const Id contains, this->contains());
  Rows rows = with_.database.query(
      "SELECT id, to_id FROM connections WHERE from_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY id",
      from, contains, creator);
  while (rows.next()) found.emplace_back(rows.integer(0), rows.integer(1));
  WEFT_TRY(rows.status());
  return found;
}

Result<std::vector<Places::Place>> Places::places_of(Id block, Id creator) {
  std::vector<Place> found;
  WEFT_TRY_VALUE(const Id contains, this->contains());
  Rows rows = with_.database.query(
      "SELECT block.id, block.from_id, turn.from_id FROM connections block JOIN connections turn "
      "ON turn.to_id = block.from_id AND turn.relation = ?2 AND turn.created_by = ?3 "
      "JOIN thoughts talk ON talk.id = turn.from_id AND talk.created_by = ?3 "
      "WHERE block.to_id = ?1 AND block.relation = ?2 AND block.created_by = ?3 "
      "AND turn.from_id IN (SELECT id FROM conversations) ORDER BY block.id",
      block, contains, creator);
  while (rows.next()) found.push_back({rows.integer(0), rows.integer(1), rows.integer(2)});
  WEFT_TRY(rows.status());
  return found;
}

Result<bool> Places::is_superseded(Id block, Id creator, Id before) {
  WEFT_TRY_VALUE(const Id supersedes, this->supersedes());
  if (supersedes == 0) return false;
  Rows rows = with_.database.query(
      "SELECT 1 FROM connections WHERE to_id = ? AND relation = ? AND created_by = ? AND id < ?",
      block, supersedes, creator, before);
  const bool found = rows.next();
  WEFT_TRY(rows.status());
  return found;
}

Status Places::load_runs() {
  if (std::exchange(has_runs_, true)) return {};
  Rows rows = with_.database.query(
      "SELECT first, last FROM runs WHERE conversation = ? ORDER BY first", conversation_);
  while (rows.next()) runs_.emplace_back(rows.integer(0), rows.integer(1));
  return rows.status();
}

Result<bool> Places::is_own(Id thought) {
  WEFT_TRY(load_runs());
  const auto after = std::ranges::upper_bound(runs_, thought, {}, &std::pair<Id, Id>::first);
  if (after != runs_.begin() && std::prev(after)->second >= thought) return true;
  Rows run = with_.database.query(
      "SELECT last FROM runs WHERE first <= ? ORDER BY first DESC LIMIT 1", thought);
  const bool is_anothers = run.next() && run.integer(0) >= thought;
  WEFT_TRY(run.status());
  if (is_anothers) return false;
  Rows share = with_.database.query(
      "SELECT conversation FROM shares WHERE thought = ? ORDER BY id LIMIT 1", thought);
  const bool is_own = !share.next() || share.integer(0) == conversation_;
  WEFT_TRY(share.status());
  return is_own;
}

Result<bool> Places::is_own_turn(Id turn, Id creator) {
  WEFT_TRY_VALUE(const Id contains, this->contains());
  std::optional<Id> first;
  Rows rows = with_.database.query(
      "SELECT to_id FROM connections WHERE from_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY id LIMIT 1",
      turn, contains, creator);
  if (rows.next()) first = rows.integer(0);
  WEFT_TRY(rows.status());
  if (!first) return true;
  return is_own(*first);
}

Result<std::optional<Id>> creator_of(const LateContext& with, Id conversation) {
  std::optional<Id> creator;
  Rows rows = with.database.query("SELECT created_by FROM thoughts WHERE id = ?", conversation);
  if (rows.next()) creator = rows.integer(0);
  WEFT_TRY(rows.status());
  return creator;
}

}  // namespace weft::store::sql
