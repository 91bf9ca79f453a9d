// From rows to thoughts: what lies in columns, put together again.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

Result<std::optional<crypto::Box>> to_box(const std::optional<std::string_view>& bytes) {
  if (!bytes) return std::nullopt;
  WEFT_TRY_VALUE(auto box, unpack_box(*bytes));
  return box;
}

}  // namespace

Result<thought::Thought> Reader::to_thought(const ThoughtColumns& row, const Cid& cid,
                                            WithPaths paths) {
  Result<thought::Thought> thought = to_bare_thought(row, cid, paths);
  if (!thought) return thought;
  WEFT_TRY_VALUE(auto body, to_content(row));
  thought->content = std::move(body);
  return thought;
}

Result<thought::Thought> Reader::to_bare_thought(const ThoughtColumns& row, const Cid& cid,
                                                 WithPaths paths) {
  thought::Thought thought;
  thought.cid = cid;
  WEFT_TRY_VALUE(auto type, words_.text(row.type));
  thought.type = type;
  WEFT_TRY_VALUE(auto creator, names_.cid(row.created_by));
  thought.created_by = creator;
  thought.created_at = row.created_at;
  if (row.source) {
    WEFT_TRY_VALUE(auto source_cid, names_.cid(*row.source));
    thought.source = source_cid;
  }
  WEFT_TRY_VALUE(auto because, to_because(row.because, row.id));
  thought.because = std::move(because);
  WEFT_TRY_VALUE(auto signature, to_signature(row.id, row.signature, paths));
  thought.signature = std::move(signature);
  WEFT_TRY_VALUE(auto metadata, to_box(row.metadata));
  WEFT_TRY_VALUE(auto content, to_box(row.content));
  thought.layers = {std::move(metadata), std::move(content)};
  return thought;
}

Result<std::string_view> Reader::to_text(const ThoughtColumns& row, std::string& room) {
  if (!is_packed_turn(row.body)) return unpack_text(row.body, room);
  WEFT_TRY_VALUE(auto turn, unpack_turn(row.body, row.id));
  WEFT_TRY_VALUE(auto conversation, names_.cid(turn.conversation));
  room.clear();
  append_turn(room, turn, conversation);
  return room;
}

Result<json::object> Reader::to_content(const ThoughtColumns& row) {
  std::string room;
  const Result<std::string_view> text = to_text(row, room);
  if (!text) return fail(Error(text.error()));
  return parse_body(*text);
}

Result<std::vector<thought::ContentRef>> Reader::to_because(std::string_view bytes, Id self) {
  WEFT_TRY_VALUE(auto packed, unpack_refs(bytes, self));
  std::vector<thought::ContentRef> because;
  because.reserve(packed.size());
  for (const PackedRef& ref : packed) {
    WEFT_TRY_VALUE(auto cid, names_.cid(ref.thought));
    WEFT_TRY_VALUE(auto whole, unpack_extra(cid, ref.extra));
    because.push_back(std::move(whole));
  }
  return because;
}

Result<thought::Connection> Reader::to_connection(const Edge& edge, WithPaths paths) {
  Result<thought::Connection> connection = to_bare_connection(edge, names_, words_);
  if (!connection) return connection;
  WEFT_TRY_VALUE(auto signature, to_signature(edge.id, edge.signature, paths));
  connection->signature = std::move(signature);
  return connection;
}

Result<thought::Connection> Reader::to_own_connection(const Edge& edge,
                                                      const ConversationTrees& trees) {
  Result<thought::Connection> connection = to_bare_connection(edge, names_, words_);
  if (!connection) return connection;
  WEFT_TRY_VALUE(auto packed, signatures_.unpack(edge.id, edge.signature));
  if (packed.kind != PackedSignature::Kind::ed25519 && !trees.has(packed.checkpoint)) {
    const std::vector<ConversationTrees::Leaf> own = trees.find(edge.id);
    if (!own.empty()) {
      packed = {.kind = PackedSignature::Kind::tree,
                .checkpoint = own.front().checkpoint,
                .leaf = own.front().index};
    }
  }
  WEFT_TRY_VALUE(auto signature, to_signature(std::move(packed), WithPaths::yes));
  connection->signature = std::move(signature);
  return connection;
}

Status Reader::set_covered(Id id, const ConversationTrees& trees, thought::Thought& thought) {
  const auto* signer = std::get_if<thought::TreeSignature>(&thought.signature);
  for (const ConversationTrees::Leaf& leaf : trees.find(id)) {
    if (signer != nullptr && signer->checkpoint == leaf.name) continue;
    thought::TreeSignature covered{.checkpoint = leaf.name, .index = leaf.index, .path = {}};
    if (signer == nullptr && thought.covered.empty()) {
      WEFT_TRY_VALUE(covered.path, path_of(leaf.checkpoint, leaf.index));
    }
    thought.covered.push_back(std::move(covered));
  }
  return {};
}

Result<thought::Signature> Reader::to_signature(Id id, std::string_view bytes, WithPaths paths) {
  WEFT_TRY_VALUE(auto packed, signatures_.unpack(id, bytes));
  return to_signature(std::move(packed), paths);
}

Result<thought::Signature> Reader::to_signature(PackedSignature packed, WithPaths paths) {
  if (packed.kind == PackedSignature::Kind::ed25519) return packed.bytes;
  WEFT_TRY_VALUE(auto checkpoint, names_.cid(packed.checkpoint));
  thought::TreeSignature tree{
      .checkpoint = checkpoint, .index = packed.leaf, .path = std::move(packed.path)};
  if (packed.kind == PackedSignature::Kind::tree && paths == WithPaths::yes) {
    WEFT_TRY_VALUE(auto path, path_of(packed.checkpoint, packed.leaf));
    tree.path = std::move(path);
  }
  return tree;
}

Result<std::vector<Digest>> Reader::path_of(Id checkpoint, std::uint64_t leaf) {
  if (tree_of_ != checkpoint) {
    WEFT_TRY_VALUE(auto cids, leaves_of(checkpoint));
    // Without one of the leaves there is no path. The thought is still read; a check of its
    // signature fails.
    if (std::ranges::find(cids, Cid()) != cids.end()) return std::vector<Digest>();
    tree_ = cids.empty() ? nullptr : std::make_unique<thought::Tree>(cids);
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

void Reader::forget() {
  words_.forget();
  names_.forget();
  signatures_.forget();
  tree_of_ = 0;
}

}  // namespace weft::store::sql
