// What is new: blocks after a mark, and conversations after a checkpoint. A mark is the id of the
// edge by which a block stands in its turn; ids grow with every commit, and a commit's ids are a
// run, so what is older is not read.
#include <algorithm>

#include "weft/store/sql/read/reader.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {

// The thought that stands for a block that was sealed and is gone; else the block itself.
Result<Cid> Reader::standing_block(Id block) {
  WEFT_TRY_VALUE(const Cid cid, names_.cid(block));
  WEFT_TRY_VALUE(const auto tombstones, tombstones_of(cid));
  if (tombstones.empty()) return cid;  // of nearly everything
  WEFT_TRY_VALUE(const bool is_stored, has(cid));
  WEFT_TRY_VALUE(const auto sealed, sealed_as_by_anyone(cid));
  return is_stored ? cid : sealed.value_or(cid);
}

Result<std::vector<PlacedBlock>> Reader::placed_blocks(const Cid& conversation, std::uint64_t mark,
                                                       std::size_t limit) {
  std::vector<PlacedBlock> found;
  WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  if (!id || !contains) return found;
  WEFT_TRY_VALUE(auto creator, creator_of(*id));
  const auto after = static_cast<Id>(mark);
  // The run in which the mark lies, and those after it.
  Rows runs = database_.query(
      "SELECT first, last FROM runs WHERE conversation = ?1 AND first >= coalesce("
      "(SELECT max(first) FROM runs WHERE conversation = ?1 AND first <= ?2), 0) ORDER BY first",
      *id, after);
  while (found.size() < limit && runs.next()) {
    Rows edges = database_.query(
        "SELECT id, from_id, to_id, position FROM connections "
        "WHERE id BETWEEN ? AND ? AND relation = ? AND from_id <> ? AND created_by = ? ORDER BY id",
        std::max(runs.integer(0), after + 1), runs.integer(1), *contains, *id, creator);
    while (found.size() < limit && edges.next()) {
      WEFT_TRY_VALUE(auto turn, names_.cid(edges.integer(1)));
      WEFT_TRY_VALUE(auto block, standing_block(edges.integer(2)));
      found.push_back({static_cast<std::uint64_t>(edges.integer(0)), turn, block,
                       static_cast<std::uint64_t>(edges.find_integer(3).value_or(0))});
    }
    WEFT_TRY(edges.status());
  }
  WEFT_TRY(runs.status());
  return found;
}

Result<ChangesSince> Reader::changes_since(const std::optional<Cid>& checkpoint) {
  WEFT_TRY_VALUE(auto snapshot, Transaction::begin(database_, Transaction::Kind::deferred));
  Id after = 0;
  if (checkpoint) {
    WEFT_TRY_VALUE(auto id, names_.find_id(*checkpoint));
    Rows rows = database_.query("SELECT seq FROM checkpoints WHERE id = ?", id);
    const bool is_known = rows.next();
    if (is_known) after = rows.integer(0);
    WEFT_TRY(rows.status());
    if (!is_known) {
      return fail(ErrorCode::not_found, "no checkpoint here is named " + checkpoint->str());
    }
  }
  ChangesSince changes_since;
  Rows newest = database_.query("SELECT id FROM checkpoints ORDER BY seq DESC LIMIT 1");
  if (newest.next()) {
    WEFT_TRY_VALUE(auto cid, names_.cid(newest.integer(0)));
    changes_since.checkpoint = cid;
  }
  WEFT_TRY(newest.status());
  // Those of conversations that were forgotten stay in the log.
  WEFT_TRY_VALUE(auto conversations,
                 to_cids(database_.query("SELECT conversation FROM checkpoints WHERE seq > ? AND "
                                         "conversation IN (SELECT id FROM conversations) "
                                         "GROUP BY conversation ORDER BY max(seq)",
                                         after)));
  changes_since.conversations = std::move(conversations);
  // A tombstone is in the log like a checkpoint, of no conversation.
  Rows forgot = database_.query(
      "SELECT 1 FROM checkpoints WHERE conversation = 0 AND seq > ? LIMIT 1", after);
  changes_since.forgot = forgot.next();
  WEFT_TRY(forgot.status());
  return changes_since;
}

}  // namespace weft::store::sql
