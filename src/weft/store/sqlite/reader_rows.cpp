// From rows to thoughts: what lies in columns, put together again.
#include "weft/store/body.hpp"
#include "weft/store/sqlite/reader.hpp"

namespace weft::store::sqlite {
namespace {

Result<std::optional<crypto::Box>> to_box(const std::optional<std::string_view>& bytes) {
  if (!bytes) return std::nullopt;
  Result<crypto::Box> box = unpack_box(*bytes);
  if (!box) return fail(std::move(box).error());
  return *std::move(box);
}

Error damaged_leaves() { return {ErrorCode::corrupt, "a checkpoint's leaves are damaged"}; }

}  // namespace

Result<thought::Thought> Reader::to_thought(const Rows& row, const Cid& cid, WithPaths paths) {
  Result<thought::Thought> thought = to_bare_thought(row, cid, paths);
  if (!thought) return thought;
  Result<json::object> body = unpack_body(row.bytes(9));
  if (!body) return fail(std::move(body).error());
  thought->content = *std::move(body);
  return thought;
}

Result<thought::Thought> Reader::to_bare_thought(const Rows& row, const Cid& cid, WithPaths paths) {
  thought::Thought thought;
  thought.cid = cid;
  const Id id = row.integer(0);
  Result<std::string_view> type = words_.text(row.integer(1));
  if (!type) return fail(std::move(type).error());
  thought.type = *type;
  Result<Cid> creator = names_.cid(row.integer(2));
  if (!creator) return fail(std::move(creator).error());
  thought.created_by = *creator;
  thought.created_at = row.integer(3);
  if (const auto source = row.find_integer(4)) {
    Result<Cid> source_cid = names_.cid(*source);
    if (!source_cid) return fail(std::move(source_cid).error());
    thought.source = *source_cid;
  }
  Result<std::vector<thought::ContentRef>> because = to_because(row.bytes(5), id);
  if (!because) return fail(std::move(because).error());
  thought.because = *std::move(because);
  Result<thought::Signature> signature = to_signature(row.bytes(6), paths);
  if (!signature) return fail(std::move(signature).error());
  thought.signature = *std::move(signature);
  Result<std::optional<crypto::Box>> metadata = to_box(row.find_bytes(7));
  if (!metadata) return fail(std::move(metadata).error());
  Result<std::optional<crypto::Box>> content = to_box(row.find_bytes(8));
  if (!content) return fail(std::move(content).error());
  thought.layers = {*std::move(metadata), *std::move(content)};
  return thought;
}

Result<std::vector<thought::ContentRef>> Reader::to_because(std::string_view bytes, Id self) {
  Result<std::vector<PackedRef>> packed = unpack_refs(bytes, self);
  if (!packed) return fail(std::move(packed).error());
  std::vector<thought::ContentRef> because;
  because.reserve(packed->size());
  for (const PackedRef& ref : *packed) {
    Result<Cid> cid = names_.cid(ref.thought);
    if (!cid) return fail(std::move(cid).error());
    Result<thought::ContentRef> whole = unpack_extra(*cid, ref.extra);
    if (!whole) return fail(std::move(whole).error());
    because.push_back(*std::move(whole));
  }
  return because;
}

Result<thought::Connection> Reader::to_connection(const Rows& row, WithPaths paths) {
  thought::Connection connection;
  Result<std::string_view> relation = words_.text(row.integer(1));
  if (!relation) return fail(std::move(relation).error());
  connection.relation = *relation;
  Result<Cid> from = names_.cid(row.integer(2));
  if (!from) return fail(std::move(from).error());
  connection.from = *from;
  Result<Cid> to = names_.cid(row.integer(3));
  if (!to) return fail(std::move(to).error());
  connection.to = *to;
  if (const auto label = row.find_integer(4)) {
    Result<std::string_view> text = words_.text(*label);
    if (!text) return fail(std::move(text).error());
    connection.label = *text;
  }
  if (const auto index = row.find_integer(5)) connection.index = static_cast<std::uint64_t>(*index);
  Result<Cid> creator = names_.cid(row.integer(6));
  if (!creator) return fail(std::move(creator).error());
  connection.created_by = *creator;
  connection.created_at = row.integer(7);
  Result<thought::Signature> signature = to_signature(row.bytes(8), paths);
  if (!signature) return fail(std::move(signature).error());
  connection.signature = *std::move(signature);
  return connection;
}

Result<thought::Signature> Reader::to_signature(std::string_view bytes, WithPaths paths) {
  Result<PackedSignature> packed = unpack_signature(bytes);
  if (!packed) return fail(std::move(packed).error());
  if (packed->kind == PackedSignature::Kind::ed25519) return packed->bytes;
  Result<Cid> checkpoint = names_.cid(packed->checkpoint);
  if (!checkpoint) return fail(std::move(checkpoint).error());
  thought::TreeSignature tree{
      .checkpoint = *checkpoint, .index = packed->leaf, .path = std::move(packed->path)};
  if (packed->kind == PackedSignature::Kind::tree && paths == WithPaths::yes) {
    Result<std::vector<Digest>> path = path_of(packed->checkpoint, packed->leaf);
    if (!path) return fail(std::move(path).error());
    tree.path = *std::move(path);
  }
  return tree;
}

Result<std::vector<Digest>> Reader::path_of(Id checkpoint, std::uint64_t leaf) {
  if (tree_of_ != checkpoint) {
    Result<std::vector<Cid>> cids = leaves_of(checkpoint);
    if (!cids) return fail(std::move(cids).error());
    tree_ = cids->empty() ? nullptr : std::make_unique<thought::Tree>(*cids);
    tree_of_ = checkpoint;
  }
  if (tree_ == nullptr || leaf >= tree_->size()) {
    return fail(ErrorCode::corrupt, "the checkpoint that signs it does not have its leaf");
  }
  return tree_->path(leaf);
}

Result<std::vector<Cid>> Reader::leaves_of(Id checkpoint) {
  return read_leaves(database_, checkpoint);
}

Result<std::vector<Cid>> read_leaves(const Database& database, Id checkpoint) {
  Rows row = database.query(
      "SELECT leaves, (SELECT max(id) FROM names) FROM checkpoints WHERE id = ?", checkpoint);
  std::vector<Range> ranges;
  std::uint64_t room = 0;  // more leaves than names are damage, and must not fill memory
  if (row.next()) {
    Result<std::vector<Range>> unpacked = unpack_leaves(row.bytes(0));
    if (!unpacked) return fail(std::move(unpacked).error());
    ranges = *std::move(unpacked);
    room = static_cast<std::uint64_t>(row.integer(1));
  }
  if (Status status = row.status(); !status) return fail(std::move(status).error());
  std::vector<Cid> cids;
  for (const Range& range : ranges) {
    if (range.count > room) return fail(damaged_leaves());
    room -= range.count;
    Rows names = database.query("SELECT id, cid FROM names WHERE id >= ? ORDER BY id LIMIT ?",
                                range.first, static_cast<std::int64_t>(range.count));
    std::uint64_t found = 0;
    for (; names.next(); ++found) {
      if (names.integer(0) != range.first + static_cast<Id>(found)) break;
      Result<Cid> cid = to_cid(names.bytes(1));
      if (!cid) return fail(std::move(cid).error());
      cids.push_back(*cid);
    }
    if (Status status = names.status(); !status) return fail(std::move(status).error());
    if (found != range.count) return fail(damaged_leaves());
  }
  return cids;
}

}  // namespace weft::store::sqlite
