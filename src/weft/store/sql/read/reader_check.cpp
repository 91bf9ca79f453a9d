// The store as a whole, row by row: what checking it takes.
#include <limits>

#include "weft/store/sql/read/reader.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {

Status Reader::each_thought(const Visit& visit, const Broken& broken) {
  sqlite::Rows rows = database_.query(
      "SELECT thoughts.*, names.cid FROM thoughts LEFT JOIN names ON names.id = thoughts.id "
      "ORDER BY thoughts.id");
  constexpr int kName = 10;
  while (rows.next()) {
    const Result<Cid> cid = to_cid(rows.bytes(kName));
    if (!cid) {
      broken(Cid(), cid.error().message);
      continue;
    }
    Result<thought::Thought> thought = to_thought(rows, *cid, WithPaths::no);
    if (!thought) {
      broken(*cid, thought.error().message);
    } else if (!visit(*std::move(thought))) {
      return {};
    }
  }
  return rows.status();
}

Status Reader::each_connection(const std::function<bool(const Cid&, thought::Connection)>& visit,
                               const Broken& broken) {
  constexpr Id kLeast = std::numeric_limits<Id>::min(), kMost = std::numeric_limits<Id>::max();
  const auto tell = [&](const Edge& edge) {
    Result<thought::Connection> connection = to_connection(edge, WithPaths::no);
    std::optional<Result<Cid>> name;  // none where its columns say it
    sqlite::Rows row = database_.query("SELECT cid FROM names WHERE id = ?", edge.id);
    if (row.next()) name = to_cid(row.bytes(0));
    if (name && !*name) {
      broken(Cid(), name->error().message);
    } else if (!connection) {
      broken(name ? **name : Cid(), connection.error().message);
    } else {
      const Cid cid = name ? **name : cid_of(*connection);
      return visit(cid, *std::move(connection));
    }
    return true;
  };
  return each_edge(kLeast, kMost, tell,
                   [&](Id, const Error& error) { broken(Cid(), error.message); });
}

Result<std::vector<Cid>> Reader::checkpoint_log() {
  return to_cids(database_.query("SELECT id FROM checkpoints ORDER BY seq"));
}

Result<std::vector<Cid>> Reader::leaves(const Cid& checkpoint) {
  WEFT_TRY_VALUE(auto id, names_.find_id(checkpoint));
  if (!id) return std::vector<Cid>();
  return leaves_of(*id);
}

Result<std::vector<Cid>> Reader::dangling() {
  sqlite::Rows rows = database_.query(
      "SELECT cid FROM names WHERE id NOT IN (SELECT id FROM connections) "
      "AND id NOT IN (SELECT id FROM thoughts) ORDER BY id");
  std::vector<Cid> found;
  while (rows.next()) {
    WEFT_TRY_VALUE(auto cid, to_cid(rows.bytes(0)));
    found.push_back(cid);
  }
  WEFT_TRY(rows.status());
  return found;
}

}  // namespace weft::store::sql
