// Edges both ways. Each side comes by index, then in the order woven.
#include "weft/store/sql/read/reader.hpp"

#include "weft/base/try.hpp"
#include "weft/store/sql/late/request_table.hpp"

namespace weft::store::sql {

Status Reader::each_edge(Id first, Id last, const std::function<bool(const Edge&)>& visit,
                         const std::function<void(Id, const Error&)>& damaged) {
  Edges::Walk walk(edges_, {.low = first, .high = last});
  std::vector<Edge> page;
  for (;;) {
    const Result<bool> more = walk.next(page);
    if (!more && more.error().code != ErrorCode::corrupt) return fail(Error(more.error()));
    if (!more) damaged(walk.page(), more.error());
    else if (!*more) return {};
    for (const Edge& edge : page) {
      if (!visit(edge)) return {};
    }
  }
}

Status Reader::append_edges(Rows rows, std::vector<thought::Connection>& out) {
  while (rows.next()) {
    WEFT_TRY_VALUE(auto connection, to_connection(to_edge(rows), WithPaths::yes));
    out.push_back(std::move(connection));
  }
  return rows.status();
}

Result<std::vector<thought::Connection>> Reader::connections(
    const Cid& cid, std::optional<std::string_view> relation, Direction direction) {
  std::vector<thought::Connection> found;
  WEFT_TRY_VALUE(auto id, names_.find_id(cid));
  if (!id) return found;
  std::optional<Id> word;
  if (relation) {
    WEFT_TRY_VALUE(auto known, words_.find_id(*relation));
    if (!known) return found;
    word = known;
  }
  if (direction != Direction::to) {
    WEFT_TRY(append_edges(
        word ? database_.query("SELECT * FROM connections WHERE from_id = ? AND relation = ? "
                               "ORDER BY position NULLS FIRST, id",
                               *id, *word)
             : database_.query(
                   "SELECT * FROM connections WHERE from_id = ? ORDER BY position NULLS FIRST, id",
                   *id),
        found));
  }
  if (direction != Direction::from) {
    WEFT_TRY(append_edges(
        word ? database_.query("SELECT * FROM connections WHERE to_id = ? AND relation = ? "
                               "ORDER BY position NULLS FIRST, id",
                               *id, *word)
             : database_.query(
                   "SELECT * FROM connections WHERE to_id = ? ORDER BY position NULLS FIRST, id",
                   *id),
        found));
  }
  return found;
}

Result<std::vector<Cid>> Reader::neighbours(const Cid& cid, std::string_view relation,
                                            Direction direction) {
  WEFT_TRY_VALUE(auto id, names_.find_id(cid));
  WEFT_TRY_VALUE(auto word, words_.find_id(relation));
  if (!id || !word) return std::vector<Cid>();
  return ends_of(*id, *word, direction, std::nullopt);
}

Result<std::vector<Cid>> Reader::neighbours_by(const Cid& creator, const Cid& cid,
                                               std::string_view relation, Direction direction) {
  WEFT_TRY_VALUE(auto id, names_.find_id(cid));
  WEFT_TRY_VALUE(auto word, words_.find_id(relation));
  WEFT_TRY_VALUE(auto by, names_.find_id(creator));
  if (!id || !word || !by) return std::vector<Cid>();
  return ends_of(*id, *word, direction, *by);
}

Result<std::vector<Cid>> Reader::ends_of(Id id, Id relation, Direction direction,
                                         std::optional<Id> creator) {
  std::vector<Cid> found;
  if (direction != Direction::to) {
    WEFT_TRY_VALUE(auto ends,
                   to_cids(database_.query("SELECT to_id FROM connections WHERE from_id = ?1 AND "
                                           "relation = ?2 AND (created_by = ?3 OR ?3 IS NULL) "
                                           "ORDER BY position NULLS FIRST, id",
                                           id, relation, creator)));
    found = std::move(ends);
  }
  if (direction != Direction::from) {
    WEFT_TRY_VALUE(auto ends,
                   to_cids(database_.query("SELECT from_id FROM connections WHERE to_id = ?1 AND "
                                           "relation = ?2 AND (created_by = ?3 OR ?3 IS NULL) "
                                           "ORDER BY position NULLS FIRST, id",
                                           id, relation, creator)));
    found.insert(found.end(), ends.begin(), ends.end());
  }
  return found;
}

Result<std::optional<Id>> Reader::creator_of(Id thought) {
  Rows rows = database_.query("SELECT created_by FROM thoughts WHERE id = ?", thought);
  std::optional<Id> creator;
  if (rows.next()) creator = rows.find_integer(0);
  WEFT_TRY(rows.status());
  return creator;
}

Result<std::vector<thought::Connection>> Reader::contents(const Cid& turn) {
  std::vector<thought::Connection> found;
  WEFT_TRY_VALUE(auto id, names_.find_id(turn));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  if (!id || !contains) return found;
  WEFT_TRY_VALUE(auto creator, creator_of(*id));
  WEFT_TRY(append_edges(
      database_.query("SELECT * FROM connections WHERE from_id = ? AND relation = ? AND "
                      "created_by = ? ORDER BY position NULLS FIRST, id",
                      *id, *contains, creator),
      found));
  return found;
}

Result<std::vector<Cid>> Reader::effects(const Cid& cid) {
  WEFT_TRY_VALUE(auto id, names_.find_id(cid));
  if (!id) return std::vector<Cid>();
  WEFT_TRY_VALUE(const auto supersedes, words_.find_id("supersedes"));
  return to_cids(
      database_.query("SELECT DISTINCT thought FROM effects WHERE cause = ?1 OR cause IN "
                      "(SELECT to_id FROM connections WHERE from_id = ?1 AND relation = ?2 AND "
                      "NOT EXISTS (SELECT 1 FROM thoughts WHERE thoughts.id = to_id)) "
                      "ORDER BY thought",
                      *id, supersedes.value_or(0)));
}

Result<std::vector<Cid>> Reader::usage_of(const Cid& conversation) {
  WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
  if (!id) return std::vector<Cid>();
  WEFT_TRY_VALUE(const auto ids, usage_ids(database_, *id));
  std::vector<Cid> found;
  for (const Id usage : ids) {
    WEFT_TRY_VALUE(found.emplace_back(), names_.cid(usage));
  }
  return found;
}

// By types, which rows begin with: bodies of other kinds are not unpacked, and turns not read.
Result<std::vector<Cid>> Reader::find_blocks(const Cid& conversation, std::string_view kind,
                                             std::size_t limit) {
  std::vector<Cid> found;
  WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  WEFT_TRY_VALUE(auto supersedes, words_.find_id("supersedes"));
  WEFT_TRY_VALUE(auto types, types_like(*this, {std::string(kind)}));
  if (!id || !contains) return found;
  WEFT_TRY_VALUE(auto creator, creator_of(*id));
  Rows turns = database_.query(
      "SELECT to_id FROM connections WHERE from_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY position NULLS FIRST, id",
      *id, *contains, creator);
  while (found.size() < limit && turns.next()) {
    Rows blocks = database_.query(
        "SELECT to_id, type FROM connections block JOIN thoughts ON thoughts.id = to_id "
        "WHERE from_id = ? AND relation = ? AND block.created_by = ? ORDER BY position NULLS "
        "FIRST, block.id",
        turns.integer(0), *contains, creator);
    while (found.size() < limit && blocks.next()) {
      const auto type = static_cast<std::size_t>(blocks.integer(1));
      if (type >= types.size() || !types[type]) continue;
      Rows newer = database_.query(
          "SELECT 1 FROM connections WHERE to_id = ? AND relation = ? AND "
          "created_by = ?",
          blocks.integer(0), supersedes, creator);
      if (newer.next()) continue;
      WEFT_TRY(newer.status());
      WEFT_TRY_VALUE(auto cid, names_.cid(blocks.integer(0)));
      found.push_back(cid);
    }
    WEFT_TRY(blocks.status());
  }
  WEFT_TRY(turns.status());
  return found;
}

Result<std::optional<weave::TimedThought>> Reader::find_response(const Cid& conversation,
                                                                 Millis until) {
  WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  WEFT_TRY_VALUE(auto supersedes, words_.find_id("supersedes"));
  WEFT_TRY_VALUE(auto types, types_like(*this, {"response"}));
  if (!id || !contains) return std::nullopt;
  WEFT_TRY_VALUE(auto creator, creator_of(*id));
  Rows blocks = database_.query(
      "SELECT block.to_id, type, thoughts.created_at FROM connections turn "
      "CROSS JOIN connections block CROSS JOIN thoughts "
      "WHERE turn.from_id = ? AND turn.relation = ? AND turn.created_by = ? "
      "AND block.from_id = turn.to_id AND block.relation = turn.relation "
      "AND block.created_by = turn.created_by AND thoughts.id = block.to_id "
      "AND thoughts.created_at BETWEEN 1 AND ? "
      "ORDER BY turn.position NULLS FIRST, turn.id, block.position NULLS FIRST, block.id",
      *id, *contains, creator, until);
  std::optional<Id> best;
  Millis time = 0;
  while (blocks.next()) {
    const auto type = static_cast<std::size_t>(blocks.integer(1));
    if (type >= types.size() || !types[type] || blocks.integer(2) < time) continue;
    Rows newer = database_.query(
        "SELECT 1 FROM connections WHERE to_id = ? AND relation = ? AND created_by = ?",
        blocks.integer(0), supersedes, creator);
    if (newer.next()) continue;
    WEFT_TRY(newer.status());
    best = blocks.integer(0);
    time = blocks.integer(2);
  }
  WEFT_TRY(blocks.status());
  if (!best) return std::nullopt;
  WEFT_TRY_VALUE(auto cid, names_.cid(*best));
  return weave::TimedThought{.cid = cid, .time = time};
}

}  // namespace weft::store::sql
