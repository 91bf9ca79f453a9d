#include "weft/store/sql/write/import_batch.hpp"

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"

namespace weft::store::sql {
namespace {

// About what a thought takes beside its content.
constexpr std::size_t kThoughtBytes = 1024;

std::size_t sealed_size(const std::optional<crypto::Box>& box) {
  return box ? box->sealed.size() : 0;
}

// Which thoughts are searched, and by which terms, is decided once their places are known.
const ThoughtTerms& terms_for_later() {
  static const ThoughtTerms terms;
  return terms;
}

}  // namespace

void ImportBatch::begin(const ImportGrouping::Part& part) {
  Addition& addition = additions_.emplace_back(Addition{.conversation = part.conversation});
  drops_paths_ = !part.leaves.empty();
  if (!part.checkpoint) return;
  const Outlines& outlines = import_->outlines;
  addition.checkpoint = outlines.cid_of(*part.checkpoint);
  addition.checked = outlines.find_checkpoint(*part.checkpoint)->conversation;
  std::vector<Cid>& leaves = leaves_.emplace_back();
  for (const std::uint32_t leaf : part.leaves) leaves.push_back(outlines.cid_of(leaf));
  addition.leaves = leaves;
}

Status ImportBatch::add(std::uint32_t number) {
  WEFT_TRY_VALUE(thought::Thought thought, import_->read(number));
  // The path of a leaf follows from the whole tree.
  if (auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
    if (drops_paths_) tree->path = {};
  }
  bytes_ += kThoughtBytes;
  Addition& addition = additions_.back();
  if (thought.type == thought::kConnectionType) {
    Result<thought::Connection> connection = thought::to_connection(thought);
    if (!connection) return fail(std::move(connection).error().within("importing a connection"));
    addition.edges.push_back({thought.cid, &connections_.emplace_back(*std::move(connection))});
    return {};
  }
  const std::string text = body_text(thought.content);
  bytes_ +=
      text.size() + sealed_size(thought.layers.metadata) + sealed_size(thought.layers.content);
  addition.bodies.push_back(bodies_.emplace_back(pack_ahead(thought, text)));
  addition.terms.push_back(&terms_for_later());
  // The rows of structure are made of its content, too.
  const Outline::Kind kind = import_->outlines[number].kind;
  if (kind == Outline::Kind::block) thought.content = {};
  addition.thoughts.push_back(&thoughts_.emplace_back(std::move(thought)));
  return {};
}

void ImportBatch::clear() {
  additions_.clear();
  thoughts_.clear();
  connections_.clear();
  bodies_.clear();
  leaves_.clear();
  bytes_ = 0;
}

}  // namespace weft::store::sql
