// Checks of an import that need a keyring, or what the store has forgotten or sealed; and the
// thoughts that are checked, as far as they are kept between two checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "weft/crypto/keyring.hpp"
#include "weft/store/import/outlines.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// corrupt if a layer of `thought` names a key of `keyring` and does not open with it: then it was
// made without the key. `keyring` may be null.
Status check_boxes(const thought::Thought& thought, const crypto::Keyring* keyring);

// Whether the rules of structure (check/import_rules.hpp) may concern a thought of this kind.
bool may_be_structure(store::Outline::Kind kind);

// Whether `owner` forgot this conversation in the store.
Result<bool> was_forgotten_by(const store::Store& store, const std::optional<Cid>& owner,
                              const Cid& conversation);

// A conversation that the store's owner forgot is not imported again: invalid_input. The store
// checks this too, for what is left after the rules.
Status check_forgotten(const store::Store& store, const std::optional<Cid>& owner,
                       const store::Outlines& outlines);

// What the owner sealed in this store is not stored in the clear again: of such a thought only its
// leaves are kept.
Status keep_sealed(const store::Store& store, const std::optional<Cid>& owner,
                   store::Outlines& outlines);

// The first thoughts of an import, as they were read. An import looks at each thought up to five
// times; most imports are so small that none is read from the file twice.
class KeptThoughts {
 public:
  // A parsed thought takes about four times its line.
  static constexpr std::size_t kMaxLineBytes = 4u << 20;

  // Thoughts come in the order of their numbers, each with the length of its line. Keeps none
  // behind the first that is too much.
  void add(std::uint32_t number, const thought::Thought& thought, std::size_t line_bytes) {
    bytes_ += line_bytes;
    if (bytes_ <= kMaxLineBytes && number == thoughts_.size()) thoughts_.push_back(thought);
  }
  // Null if it has to be read again.
  const thought::Thought* find(std::uint32_t number) const {
    return number < thoughts_.size() ? &thoughts_[number] : nullptr;
  }

 private:
  std::deque<thought::Thought> thoughts_;
  std::size_t bytes_ = 0;
};

}  // namespace weft::ingest
