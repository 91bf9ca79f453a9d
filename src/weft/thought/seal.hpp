// Seals the members of a thought's content into layers, and opens them again.
#pragma once

#include "weft/crypto/keyring.hpp"
#include "weft/thought/thought.hpp"

namespace weft::thought {

// Sets the content of `thought`, each member in the layer that its kind and the keyring's seal mode
// give it (docs/design.md, "What each layer holds"). Type, creator and time are set before: a box
// is bound to them. Precondition: the keyring has both layers' keys.
void set_content(Thought& thought, json::object members, const crypto::Keyring& keyring);

// The content with every layer that the keyring opens; the others stay under
// "$layers". corrupt if a box does not open with its own key.
Result<json::object> open_content(const Thought& thought, const crypto::Keyring* keyring);

// The plaintext of one layer: canonical JSON of its members. Empty if the thought has no such
// layer, or the keyring does not open it. corrupt as above.
Result<std::string> open_layer(const Thought& thought, crypto::Layer layer,
                               const crypto::Keyring* keyring);

// to_json with opened content.
Result<json::object> to_open_json(const Thought& thought, const crypto::Keyring* keyring);

}  // namespace weft::thought
