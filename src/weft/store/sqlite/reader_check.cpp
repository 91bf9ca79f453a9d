// The store as a whole, row by row: what checking it takes.
#include "weft/store/sqlite/reader.hpp"

namespace weft::store::sqlite {

namespace {

// Each row with its own name in column `name`, or none; a row that cannot be read back is told.
template <class Make, class Tell>
Status each_row(Rows rows, int name, const Make& make, const Tell& tell, const Broken& broken) {
  while (rows.next()) {
    std::optional<Cid> cid;
    if (const auto bytes = rows.find_bytes(name)) {
      const Result<Cid> there = to_cid(*bytes);
      if (!there) {
        broken(Cid(), there.error().message);
        continue;
      }
      cid = *there;
    }
    auto made = make(rows, cid);
    if (!made) {
      broken(cid.value_or(Cid()), made.error().message);
    } else if (!tell(cid, *std::move(made))) {
      return {};
    }
  }
  return rows.status();
}

// Names beside the rows: both lie in the order of their ids. A name is the column after
// the last of its table.
constexpr const char* kThoughts =
    "SELECT thoughts.*, names.cid FROM thoughts LEFT JOIN names ON names.id = thoughts.id "
    "ORDER BY thoughts.id";
constexpr int kThoughtName = 10;
constexpr const char* kConnections =
    "SELECT connections.*, names.cid FROM connections LEFT JOIN names "
    "ON names.id = connections.id ORDER BY connections.id";
constexpr int kConnectionName = 9;

}  // namespace

Status Reader::each_thought(const Visit& visit, const Broken& broken) {
  return each_row(
      database_.query(kThoughts), kThoughtName,
      [this](const Rows& row, const std::optional<Cid>& cid) -> Result<thought::Thought> {
        if (!cid) return fail(ErrorCode::corrupt, "a stored name is damaged");
        return to_thought(row, *cid, WithPaths::no);
      },
      [&](const auto&, thought::Thought thought) { return visit(std::move(thought)); }, broken);
}

Status Reader::each_connection(const std::function<bool(const Cid&, thought::Connection)>& visit,
                               const Broken& broken) {
  return each_row(
      database_.query(kConnections), kConnectionName,
      [this](const Rows& row, const auto&) { return to_connection(row, WithPaths::no); },
      [&](const std::optional<Cid>& cid, thought::Connection connection) {
        const Cid name = cid ? *cid : cid_of(connection);
        return visit(name, std::move(connection));
      },
      broken);
}

Result<std::vector<Cid>> Reader::checkpoint_log() {
  return to_cids(database_.query("SELECT id FROM checkpoints ORDER BY seq"));
}

Result<std::vector<Cid>> Reader::leaves(const Cid& checkpoint) {
  Result<std::optional<Id>> id = names_.find_id(checkpoint);
  if (!id) return fail(std::move(id).error());
  if (!*id) return std::vector<Cid>();
  return leaves_of(**id);
}

Result<std::vector<Cid>> Reader::dangling() {
  Rows rows = database_.query(
      "SELECT cid FROM names WHERE id NOT IN (SELECT id FROM connections) "
      "AND id NOT IN (SELECT id FROM thoughts) ORDER BY id");
  std::vector<Cid> found;
  while (rows.next()) {
    Result<Cid> cid = to_cid(rows.bytes(0));
    if (!cid) return fail(std::move(cid).error());
    found.push_back(*cid);
  }
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  return found;
}

}  // namespace weft::store::sqlite
