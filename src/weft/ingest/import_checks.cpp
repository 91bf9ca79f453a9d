#include "weft/ingest/import_checks.hpp"

#include <algorithm>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::ingest {

using store::Outline;

Status check_boxes(const thought::Thought& thought, const crypto::Keyring* keyring) {
  for (const crypto::Layer layer : {crypto::Layer::metadata, crypto::Layer::content}) {
    if (thought::open_layer(thought, layer, keyring)) continue;
    return fail(ErrorCode::corrupt, "its " + std::string(crypto::to_string(layer)) +
                                        " layer names a key of yours and does not open with it");
  }
  return {};
}

Result<bool> was_forgotten_by(const store::Store& store, const std::optional<Cid>& owner,
                              const Cid& conversation) {
  WEFT_TRY_VALUE(const auto tombstones, store.forgetting().tombstones_of(conversation));
  for (const Cid& tombstone : tombstones) {
    WEFT_TRY_VALUE(const auto thought, store.get_without_path(tombstone));
    const Result<thought::Tombstone> content = thought::to_tombstone(thought);
    if (!content || thought.created_by != owner) continue;
    const auto& forgotten = content->conversations;
    if (std::ranges::find(forgotten, conversation) != forgotten.end()) return true;
  }
  return false;
}

bool may_be_structure(Outline::Kind kind) {
  return kind != Outline::Kind::block && kind != Outline::Kind::gone &&
         kind != Outline::Kind::identity && kind != Outline::Kind::tombstone;
}

Status check_forgotten(const store::Store& store, const std::optional<Cid>& owner,
                       const store::Outlines& outlines) {
  std::unordered_set<std::uint32_t> checked;
  for (std::uint32_t i = 0; i < outlines.size(); ++i) {
    const Outline& outline = outlines[i];
    if (outline.is_dropped || outline.kind != Outline::Kind::turn) continue;
    if (outline.conversation == store::kNoNumber || !checked.insert(outline.conversation).second) {
      continue;
    }
    const Cid& conversation = outlines.cid(outline.conversation);
    WEFT_TRY_VALUE(const bool is_forgotten, was_forgotten_by(store, owner, conversation));
    if (!is_forgotten) continue;
    return fail(ErrorCode::invalid_input,
                "conversation " + conversation.str() +
                    " was forgotten in this store and is not imported again");
  }
  return {};
}

Status keep_sealed(const store::Store& store, const std::optional<Cid>& owner,
                   store::Outlines& outlines) {
  if (!owner) return {};
  // Where nothing was ever forgotten or sealed, there is nothing to ask about each thought.
  WEFT_TRY_VALUE(const auto tombstones, store.forgetting().tombstones());
  if (tombstones.empty()) return {};
  for (std::uint32_t i = 0; i < outlines.size(); ++i) {
    const Outline::Kind kind = outlines[i].kind;
    if (kind != Outline::Kind::block && kind != Outline::Kind::facts) continue;
    WEFT_TRY_VALUE(const auto sealed, store.known_web().sealed_as(*owner, outlines.cid_of(i)));
    if (sealed) outlines.keep_leaf_only(i);
  }
  return {};
}

}  // namespace weft::ingest
