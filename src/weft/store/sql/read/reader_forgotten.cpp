// What was forgotten, and what would be.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/forget/rows_to_drop.hpp"
#include "weft/store/sql/forget/rows_to_forget.hpp"
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

std::unexpected<Error> Reader::not_here(const Cid& cid) {
  WEFT_TRY_VALUE(auto tombstones, tombstones_of(cid));
  if (tombstones.empty()) return fail(ErrorCode::not_found, "no thought is named " + cid.str());
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

}  // namespace weft::store::sql
