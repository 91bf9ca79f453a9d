#include "weft/store/sql/read/tree_leaves.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

Error damaged_leaves() { return {ErrorCode::corrupt, "a checkpoint's leaves are damaged"}; }

// The leaf at which `id` stands.
std::optional<std::uint64_t> leaf_at(const std::vector<Range>& leaves, Id id) {
  std::uint64_t before = 0;
  for (const Range& range : leaves) {
    // Unsigned, because damaged ids may be any.
    const std::uint64_t at =
        static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(range.first);
    if (at < range.count) return before + at;
    before += range.count;
  }
  return std::nullopt;
}

// Names of a range, from `names` and, where there is none, from columns.
Status append_names(const Database& database, Edges& edges, const Names& names, const Words& words,
                    const Range& range, std::vector<Cid>& cids) {
  const std::size_t start = cids.size();
  const Id last = range.first + static_cast<Id>(range.count) - 1;
  cids.resize(start + range.count);
  std::uint64_t found = 0;
  Rows named =
      database.query("SELECT id, cid FROM names WHERE id >= ? AND id <= ?", range.first, last);
  for (; named.next(); ++found) {
    WEFT_TRY_VALUE(auto cid, to_cid(named.bytes(1)));
    cids[start + static_cast<std::size_t>(named.integer(0) - range.first)] = cid;
  }
  if (Status status = named.status(); !status || found == range.count) return status;
  Edges::Walk walk(edges, {.low = range.first, .high = last});
  std::vector<Edge> page;
  for (;;) {
    const Result<bool> more = walk.next(page);
    if (!more && more.error().code == ErrorCode::corrupt) continue;  // what was on it is gone
    if (!more) return fail(Error(more.error()));
    if (!*more) return {};
    for (const Edge& edge : page) {
      Cid& cid = cids[start + static_cast<std::size_t>(edge.id - range.first)];
      if (cid != Cid()) continue;
      const Result<thought::Connection> connection = to_bare_connection(edge, names, words);
      if (connection) cid = cid_of(*connection);
      // The name of one of its ends is gone, and its own with that.
      else if (connection.error().code != ErrorCode::corrupt) return fail(connection.error());
    }
  }
}

}  // namespace

Result<thought::Connection> to_bare_connection(const Edge& edge, const Names& names,
                                               const Words& words) {
  thought::Connection connection;
  WEFT_TRY_VALUE(auto relation, words.text(edge.relation));
  connection.relation = relation;
  for (const auto& [id, cid] : {std::pair(edge.from, &connection.from),
                                {edge.to, &connection.to},
                                {edge.created_by, &connection.created_by}}) {
    WEFT_TRY_VALUE(auto name, names.cid(id));
    *cid = name;
  }
  if (edge.label) {
    WEFT_TRY_VALUE(auto text, words.text(*edge.label));
    connection.label = text;
  }
  if (edge.position) connection.index = static_cast<std::uint64_t>(*edge.position);
  connection.created_at = edge.created_at;
  return connection;
}

Result<std::vector<Cid>> read_leaves(const Database& database, Edges& edges, const Names& names,
                                     const Words& words, Id checkpoint) {
  Rows row = database.query(
      "SELECT leaves, coalesce((SELECT max(id) FROM names), 0), coalesce((SELECT last FROM runs "
      "ORDER BY first DESC LIMIT 1), 0) FROM checkpoints WHERE id = ?",
      checkpoint);
  std::vector<Range> ranges;
  Id newest = 0;
  std::uint64_t room = 0;  // more leaves than ids are damage, and must not fill memory
  if (row.next()) {
    WEFT_TRY_VALUE(auto unpacked, unpack_leaves(row.bytes(0)));
    ranges = std::move(unpacked);
    newest = std::max(row.integer(1), row.integer(2));
    room = static_cast<std::uint64_t>(newest);
  }
  WEFT_TRY(row.status());
  std::vector<Cid> cids;
  for (const Range& range : ranges) {
    const bool fits = range.first > 0 && range.first <= newest && range.count <= room;
    if (!fits) return fail(damaged_leaves());
    room -= range.count;
    WEFT_TRY(append_names(database, edges, names, words, range, cids));
  }
  return cids;
}

Result<PackedSignature> Signatures::unpack(Id id, std::string_view bytes) {
  if (!bytes.empty()) return unpack_signature(bytes);
  // A row before the checkpoint is a leaf that another one signs.
  std::optional<std::uint64_t> leaf;
  if (id > checkpoint_) leaf = leaf_at(leaves_, id);
  if (!leaf) {
    leaves_.clear();
    Rows row = database_->query(
        "SELECT id, leaves FROM checkpoints WHERE id < ? ORDER BY id DESC LIMIT 1", id);
    if (row.next()) {
      WEFT_TRY_VALUE(auto unpacked, unpack_leaves(row.bytes(1)));
      checkpoint_ = row.integer(0);
      leaves_ = std::move(unpacked);
      leaf = leaf_at(leaves_, id);
    }
    WEFT_TRY(row.status());
  }
  if (!leaf) return fail(ErrorCode::corrupt, "no checkpoint signs it where it stands");
  return PackedSignature{
      .kind = PackedSignature::Kind::tree, .checkpoint = checkpoint_, .leaf = *leaf};
}

}  // namespace weft::store::sql
