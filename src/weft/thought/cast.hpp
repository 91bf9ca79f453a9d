// Who speaks in the web: identities with their keys, and the inputs that they speak
// through. Each is one thought however often it is met.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/thought.hpp"

namespace weft::thought {

// The facts that make an identity. Those that a source does not state stay empty.
struct Persona {
  std::string kind;  // "human", "model", "tool"
  std::string name;
  std::string provider, model_family, tool_type;
  friend bool operator==(const Persona&, const Persona&) = default;
};

// The canonical JSON of an identity's content without pubkey and provenance: what its
// custodial key is derived from.
std::string identity_facts(const json::object& identity_content);

// An identity thought, unsigned: its own creator, at `created_at`.
Thought make_identity(const Persona& persona, const crypto::PublicKey& key,
                      std::string_view provenance, Millis created_at);

// A speaker and what attributes their words: the `uses_input` connection.
struct Voice {
  Cid identity;
  Cid source;  // CID of identity → uses_input → the input's schema
};

class Cast {
 public:
  // `keyring` can sign and outlives the cast. `human` names whose words a person's
  // words are, where that is not the owner.
  explicit Cast(const crypto::Keyring& keyring, std::optional<std::string> human = {});
  ~Cast();

  const crypto::Keyring& keyring() const { return keyring_; }
  const Cid& owner() const { return owner_; }

  // `input` names an input schema: "input/anthropic_model".
  Voice model(const std::string& name, const std::string& provider, const std::string& input);
  Voice tool(const std::string& name);
  Voice human();

  // What has to be in the web for a voice (identity, input schema, uses_input), signed.
  const std::vector<Thought>& behind(const Voice& voice) const;
  // The schemas that describe a family's kinds and every relation, signed.
  const std::vector<Thought>& schemas(const std::string& family);

  // The key of the owner or of an identity that this cast made. Valid as long as the cast.
  const crypto::SigningKey& key_of(const Cid& identity) const;

 private:
  struct Member;
  const Member& member(const Persona& persona);
  Voice voice(const Persona& persona, const std::string& input);

  const crypto::Keyring& keyring_;
  std::optional<std::string> human_;
  Cid owner_;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::thought
