// Seals the members of a thought's content into layers, and opens them again.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/thought.hpp"

namespace weft::thought {

// Sets the content of `thought`, each member in the layer that its kind and the keyring's seal mode
// give it (docs/design.md, "What each layer holds"). Type, creator and time are set before: a box
// is bound to them. Precondition: the keyring has both layers' keys.
void set_content(Thought& thought, json::object members, const crypto::Keyring& keyring);
// The same in another seal mode than the keyring's.
void set_content(Thought& thought, json::object members, const crypto::Keyring& keyring,
                 crypto::SealMode mode);

// Whether thoughts of this type are sealed in some seal mode: blocks, what hangs on them, and
// facts.
bool may_be_sealed(std::string_view type);
// Whether nothing that was said stands in the clear: every member is in a layer, and no reference
// quotes.
bool is_sealed_whole(const Thought& thought);
// Whether it was sealed by choice, by `weft seal` or in seal mode `all`: others of its kind stand
// in the clear.
bool is_sealed_by_choice(const Thought& thought);
// Seals what stands in the clear as seal mode `all` does, and drops the quotes in its references.
// Its CID and signature are then to be made again. Preconditions: the keyring opens both layers,
// and may_be_sealed().
void seal_whole(Thought& thought, const crypto::Keyring& keyring);

// Adds members to the content layer of `thought`, whatever the keyring's seal mode, and nothing to
// what is clear. The same preconditions; there is no content layer before.
void seal_members(Thought& thought, json::object members, const crypto::Keyring& keyring);

// Which keys of a keyring are tried: its owner's alone, or also those of others.
enum class Keys : std::uint8_t { own, all };

// The content with every layer that the keyring opens; the others stay under "$layers". So does a
// box that is under a key of the keyring and does not open: it was changed, or made by somebody
// without the key. Those layers are added to `damaged`, if it is given.
json::object open_content(const Thought& thought, const crypto::Keyring* keyring,
                          std::vector<crypto::Layer>* damaged = nullptr, Keys keys = Keys::all);

// The plaintext of one layer: canonical JSON of its members. Empty if the thought has no such
// layer, or the keyring has no key for it. corrupt if the box does not open with its own key, or
// holds no JSON object.
Result<std::string> open_layer(const Thought& thought, crypto::Layer layer,
                               const crypto::Keyring* keyring, Keys keys = Keys::all);

// to_json with opened content. `notes` names each layer that has a key and does not open.
json::object to_open_json(const Thought& thought, const crypto::Keyring* keyring);

}  // namespace weft::thought
