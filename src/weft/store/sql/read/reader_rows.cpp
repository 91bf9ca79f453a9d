// From rows to thoughts: what lies in columns, put together again.
#include <algorithm>

#include "weft/store/body.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

Result<std::optional<crypto::Box>> to_box(const std::optional<std::string_view>& bytes) {
  if (!bytes) return std::nullopt;
  Result<crypto::Box> box = unpack_box(*bytes);
  if (!box) return fail(std::move(box).error());
  return *std::move(box);
}

}  // namespace

Result<thought::Thought> Reader::to_thought(const sqlite::Rows& row, const Cid& cid,
                                            WithPaths paths) {
  Result<thought::Thought> thought = to_bare_thought(row, cid, paths);
  if (!thought) return thought;
  Result<json::object> body = to_content(row);
  if (!body) return fail(std::move(body).error());
  thought->content = *std::move(body);
  return thought;
}

Result<thought::Thought> Reader::to_bare_thought(const sqlite::Rows& row, const Cid& cid,
                                                 WithPaths paths) {
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
  Result<thought::Signature> signature = to_signature(id, row.bytes(6), paths);
  if (!signature) return fail(std::move(signature).error());
  thought.signature = *std::move(signature);
  Result<std::optional<crypto::Box>> metadata = to_box(row.find_bytes(7));
  if (!metadata) return fail(std::move(metadata).error());
  Result<std::optional<crypto::Box>> content = to_box(row.find_bytes(8));
  if (!content) return fail(std::move(content).error());
  thought.layers = {*std::move(metadata), *std::move(content)};
  return thought;
}

Result<std::string_view> Reader::to_text(const sqlite::Rows& row, std::string& room) {
  const std::string_view body = row.bytes(9);
  if (!is_packed_turn(body)) return unpack_text(body, room);
  Result<PackedTurn> turn = unpack_turn(body, row.integer(0));
  if (!turn) return fail(std::move(turn).error());
  Result<Cid> conversation = names_.cid(turn->conversation);
  if (!conversation) return fail(std::move(conversation).error());
  room.clear();
  append_turn(room, *turn, *conversation);
  return room;
}

Result<json::object> Reader::to_content(const sqlite::Rows& row) {
  std::string room;
  const Result<std::string_view> text = to_text(row, room);
  if (!text) return fail(Error(text.error()));
  return parse_body(*text);
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

Result<thought::Connection> Reader::to_connection(const Edge& edge, WithPaths paths) {
  Result<thought::Connection> connection = to_bare_connection(edge, names_, words_);
  if (!connection) return connection;
  Result<thought::Signature> signature = to_signature(edge.id, edge.signature, paths);
  if (!signature) return fail(std::move(signature).error());
  connection->signature = *std::move(signature);
  return connection;
}

Result<thought::Signature> Reader::to_signature(Id id, std::string_view bytes, WithPaths paths) {
  Result<PackedSignature> packed = signatures_.unpack(id, bytes);
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
    // Where a leaf is gone no path can be made. What it signs is still read, and whoever checks
    // it finds that its signature does not hold.
    if (std::ranges::find(*cids, Cid()) != cids->end()) return std::vector<Digest>();
    tree_ = cids->empty() ? nullptr : std::make_unique<thought::Tree>(*cids);
    tree_of_ = checkpoint;
  }
  if (tree_ == nullptr || leaf >= tree_->size()) {
    return fail(ErrorCode::corrupt, "the checkpoint that signs it does not have its leaf");
  }
  return tree_->path(leaf);
}

Result<std::vector<Cid>> Reader::leaves_of(Id checkpoint) {
  return read_leaves(database_, edges_, names_, words_, checkpoint);
}

}  // namespace weft::store::sql
