// Identities: the authors in a web with their keys, and the inputs that they speak through. Each is
// one thought, however often it is used.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/thought.hpp"

namespace weft::thought {

// The facts that define an identity. Facts that a source does not state stay empty.
struct IdentityFacts {
  std::string kind;  // "human", "model", "tool"
  std::string name;
  std::string provider{}, model_family{}, tool_type{};
};

// The canonical JSON of an identity's content without pubkey and provenance: what its
// custodial key is derived from.
std::string identity_facts(const json::object& identity_content);

// An identity thought, signed: its own creator.
Thought make_identity(const IdentityFacts& identity_facts, const crypto::SigningKey& key,
                      std::string_view provenance, Millis created_at);

// The owner's identity, the same in every web of this keyring. Precondition: can_sign().
Thought owner_identity(const crypto::Keyring& keyring);

// An author, and the thoughts that must be in the web before theirs.
struct Voice {
  Thought identity;
  Thought schema;         // of the input
  Connection uses_input;  // identity → schema, signed by the identity
  Cid source;             // its CID: the `source` of their thoughts
  const crypto::SigningKey* key = nullptr;
};

// Voices and schemas keep their addresses as long as the Identities live.
class Identities {
 public:
  // `keyring` can sign and outlives this object. `human` names the author of human words, if it
  // is not the owner.
  explicit Identities(const crypto::Keyring& keyring, std::optional<std::string> human = {});
  ~Identities();
  Identities(const Identities&) = delete;
  Identities& operator=(const Identities&) = delete;

  const crypto::Keyring& keyring() const;
  const Thought& owner() const;
  const crypto::SigningKey& owner_key() const;

  // `input` names an input schema: "input/anthropic_model".
  const Voice& model(const std::string& name, const std::string& provider,
                     const std::string& input);
  const Voice& tool(const std::string& name);
  const Voice& human();

  // The schemas that describe a family's kinds and every relation, signed.
  const std::vector<Thought>& schemas(const std::string& family);
  // The page behind a citation: by the owner, at the keyring's time, unsigned.
  Thought web_resource(std::string_view url) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::thought
