// What was forgotten, and what would be.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/forget/rows_to_drop.hpp"
#include "weft/store/sql/forget/rows_to_forget.hpp"
#include "weft/store/sql/forget/sealed.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {

Result<ForgetPlan> Reader::plan_forget(const std::vector<Cid>& conversations, const Cid& owner) {
  WEFT_TRY_VALUE(auto snapshot, Transaction::begin(database_, Transaction::Kind::deferred));
  WEFT_TRY_VALUE(auto removal, plan_removal(database_, conversations, owner));
  return std::move(removal.told);
}

Result<DropPlan> Reader::plan_key_drop(const Cid& identity) {
  WEFT_TRY_VALUE(auto snapshot, Transaction::begin(database_, Transaction::Kind::deferred));
  WEFT_TRY_VALUE(auto removal, plan_drop(database_, identity));
  return std::move(removal.told);
}

Result<std::vector<Cid>> Reader::tombstones() {
  return to_cids(
      database_.query("SELECT id FROM checkpoints WHERE conversation = 0 ORDER BY seq DESC"));
}

Result<std::vector<Cid>> Reader::tombstones_of(const Cid& cid) {
  return to_cids(database_.query(
      "SELECT tombstone FROM tombstones WHERE cid = ? ORDER BY tombstone", blob(cid.digest())));
}

Result<std::vector<Cid>> Reader::all_holders(const Cid& thought) {
  std::vector<Cid> holders;
  WEFT_TRY_VALUE(const auto id, names_.find_id(thought));
  if (!id) return holders;
  WEFT_TRY_VALUE(const auto ids, find_holders(database_, *id));
  for (const Id conversation : ids) {
    WEFT_TRY_VALUE(holders.emplace_back(), names_.cid(conversation));
  }
  return holders;
}

Result<std::optional<Cid>> Reader::sealed_as(const Cid& owner, const Cid& clear) {
  WEFT_TRY_VALUE(const auto tombstones, tombstones_of(clear));
  if (tombstones.empty()) return std::nullopt;  // of nearly everything
  WEFT_TRY_VALUE(const auto by, names_.find_id(owner));
  if (!by) return std::nullopt;
  WEFT_TRY_VALUE(const auto id, find_sealed(database_, words_, clear, *by));
  if (!id) return std::nullopt;
  WEFT_TRY_VALUE(const auto cid, names_.cid(*id));
  return cid;
}

Result<std::optional<Cid>> Reader::sealed_as_by_anyone(const Cid& clear) {
  WEFT_TRY_VALUE(const auto id, find_sealed(database_, words_, clear, std::nullopt));
  if (!id) return std::nullopt;
  WEFT_TRY_VALUE(const auto cid, names_.cid(*id));
  return cid;
}

std::unexpected<Error> Reader::not_here(const Cid& cid) {
  WEFT_TRY_VALUE(auto tombstones, tombstones_of(cid));
  if (tombstones.empty()) return fail(ErrorCode::not_found, "no thought is named " + cid.str());
  WEFT_TRY_VALUE(const auto sealed, sealed_as_by_anyone(cid));
  if (sealed) return fail(ErrorCode::not_found, cid.str() + " was sealed as " + sealed->str());
  return fail(ErrorCode::not_found,
              cid.str() + " was forgotten: tombstone " + tombstones.front().str());
}

// Few things were forgotten, and many are held: so it is asked of each of the few.
Result<std::vector<Id>> Reader::tombstones_beside(const Members& members) {
  struct Listed {
    Cid cid;
    Id tombstone;
  };
  std::vector<Listed> all;
  Rows rows = database_.query("SELECT cid, tombstone FROM tombstones");
  while (rows.next()) {
    WEFT_TRY_VALUE(auto cid, to_cid(rows.bytes(0)));
    all.push_back({cid, rows.integer(1)});
  }
  WEFT_TRY(rows.status());

  std::vector<Range> held = members.connections;
  std::ranges::sort(held, {}, &Range::first);
  const auto is_held = [&held](Id id) {
    const auto after = std::ranges::upper_bound(held, id, {}, &Range::first);
    return after != held.begin() &&
           id - std::prev(after)->first < static_cast<Id>(std::prev(after)->count);
  };
  std::vector<Id> beside;
  for (const Listed& listed : all) {
    WEFT_TRY_VALUE(auto id, names_.find_id(listed.cid));
    if (!id) continue;
    bool found = false;
    const auto look = [&](Rows speaking) -> Status {
      while (!found && speaking.next()) found = is_held(speaking.integer(0));
      return speaking.status();
    };
    Status status = look(database_.query("SELECT id FROM connections WHERE from_id = ?", *id));
    if (status) status = look(database_.query("SELECT id FROM connections WHERE to_id = ?", *id));
    if (status) status = look(database_.query("SELECT thought FROM effects WHERE cause = ?", *id));
    if (!status) return fail(std::move(status).error());
    if (found) beside.push_back(listed.tombstone);
  }
  std::ranges::sort(beside);
  const auto twice = std::ranges::unique(beside);
  beside.erase(twice.begin(), twice.end());
  return beside;
}

// Few things were sealed, and a conversation has many leaves: so each of the few is looked for.
Status Reader::visit_gone_leaves(const Visit& visit, Visiting& state) {
  std::vector<Cid> listed;
  Rows rows = database_.query("SELECT DISTINCT cid FROM tombstones ORDER BY cid");
  while (rows.next()) {
    WEFT_TRY_VALUE(listed.emplace_back(), to_cid(rows.bytes(0)));
  }
  WEFT_TRY(rows.status());
  for (const Cid& cid : listed) {
    if (!state.go_on) break;
    WEFT_TRY_VALUE(const auto id, names_.find_id(cid));
    if (!id || state.trees.find(*id).empty()) continue;
    Rows stored = database_.query("SELECT id FROM thoughts WHERE id = ?", *id);
    const bool is_stored = stored.next();
    WEFT_TRY(stored.status());
    if (is_stored) continue;
    thought::Thought leaf;
    leaf.cid = cid;
    WEFT_TRY(set_covered(*id, state.trees, leaf));
    state.go_on = visit(std::move(leaf));
  }
  return {};
}

}  // namespace weft::store::sql
