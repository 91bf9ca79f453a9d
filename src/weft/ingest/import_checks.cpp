#include "weft/ingest/import_checks.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::ingest {

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

}  // namespace weft::ingest
