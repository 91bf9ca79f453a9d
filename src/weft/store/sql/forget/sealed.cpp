#include "weft/store/sql/forget/sealed.hpp"

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::store::sql {

Result<std::optional<Id>> find_sealed(const Database& database, const Words& words,
                                      const Cid& clear, std::optional<Id> by) {
  Rows rows = database.query(
      "SELECT body FROM tombstones JOIN thoughts ON thoughts.id = tombstone "
      "WHERE cid = ?1 AND (created_by = ?2 OR ?2 IS NULL) ORDER BY tombstone",
      blob(clear.digest()), by);
  std::vector<Cid> stated;
  while (rows.next()) {
    thought::Thought thought;
    thought.type = thought::kTombstoneType;
    WEFT_TRY_VALUE(thought.content, unpack_body(rows.bytes(0)));
    const Result<thought::Tombstone> tombstone = thought::to_tombstone(thought);
    if (!tombstone) continue;
    if (const auto sealed = tombstone->find_sealed(clear)) stated.push_back(*sealed);
  }
  WEFT_TRY(rows.status());
  for (const Cid& sealed : stated) {
    WEFT_TRY_VALUE(const auto id, find_id(database, words, sealed));
    if (!id) continue;
    Rows stored = database.query("SELECT id FROM thoughts WHERE id = ?", *id);
    const bool is_stored = stored.next();
    WEFT_TRY(stored.status());
    if (is_stored) return *id;
  }
  return std::nullopt;
}

Result<std::unordered_set<Id>> find_gone(const Database& database, const Words& words) {
  std::vector<Cid> listed;
  Rows rows = database.query("SELECT cid FROM tombstones");
  while (rows.next()) {
    WEFT_TRY_VALUE(listed.emplace_back(), to_cid(rows.bytes(0)));
  }
  WEFT_TRY(rows.status());
  std::unordered_set<Id> gone;
  for (const Cid& cid : listed) {
    WEFT_TRY_VALUE(const auto id, find_id(database, words, cid));
    if (!id) continue;
    Rows stored = database.query("SELECT id FROM thoughts WHERE id = ?", *id);
    const bool is_stored = stored.next();
    WEFT_TRY(stored.status());
    if (!is_stored) gone.insert(*id);
  }
  return gone;
}

Result<std::vector<Id>> find_holders(const Database& database, Id thought) {
  Rows rows = database.query(
      "SELECT conversations.id FROM conversations WHERE id IN "
      "(SELECT conversation FROM shares WHERE thought = ?1 UNION ALL SELECT conversation FROM "
      "(SELECT conversation, last FROM runs WHERE first <= ?1 ORDER BY first DESC LIMIT 1) "
      "AS run WHERE last >= ?1) ORDER BY conversations.id",
      thought);
  std::vector<Id> holders;
  while (rows.next()) holders.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return holders;
}

}  // namespace weft::store::sql
