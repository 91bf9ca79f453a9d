#include "weft/thought/identities.hpp"

#include <unordered_map>

#include "weft/crypto/blake3.hpp"
#include "weft/thought/schema.hpp"
#include "weft/thought/seal.hpp"

namespace weft::thought {
namespace {

constexpr std::string_view kHumanInput = "input/human_chat";
constexpr std::string_view kToolInput = "input/tool_execution";

void put_unless_empty(json::object& object, std::string_view key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

json::object facts_of(const IdentityFacts& identity_facts) {
  json::object facts{{"kind", identity_facts.kind}, {"name", identity_facts.name}};
  put_unless_empty(facts, "provider", identity_facts.provider);
  put_unless_empty(facts, "model_family", identity_facts.model_family);
  put_unless_empty(facts, "tool_type", identity_facts.tool_type);
  return facts;
}

void name_and_sign(Thought& thought, const crypto::SigningKey& key) {
  thought.cid = cid_of(thought);
  if (is_identity(thought)) thought.created_by = thought.cid;
  thought.signature = key.sign(crypto::bytes_of(thought.cid.digest()));
}

// Authors are distinguished by all of their facts and by their input.
std::string lookup_key(std::initializer_list<std::string_view> parts) {
  std::string key;
  key.reserve(128);
  for (const std::string_view part : parts) {
    key += std::to_string(part.size());
    key += ':';
    key += part;
  }
  return key;
}

}  // namespace

std::string identity_facts(const json::object& identity_content) {
  json::object facts = identity_content;
  facts.erase("pubkey");
  facts.erase("provenance");
  return canonical_json(facts);
}

Thought make_identity(const IdentityFacts& identity_facts, const crypto::SigningKey& key,
                      std::string_view provenance, Millis created_at) {
  Thought identity;
  identity.type = "identity";
  identity.content = facts_of(identity_facts);
  identity.content["pubkey"] = key.public_key().str();
  identity.content["provenance"] = provenance;
  identity.created_at = created_at;
  name_and_sign(identity, key);
  return identity;
}

Thought owner_identity(const crypto::Keyring& keyring) {
  return make_identity({.kind = "human", .name = keyring.owner_name()}, keyring.owner_signing_key(),
                       "verified", keyring.created_at());
}

struct Identities::State {
  const crypto::Keyring& keyring;
  std::optional<std::string> human_name;
  Thought owner;
  std::unordered_map<std::string, std::unique_ptr<crypto::SigningKey>> keys;  // by facts
  std::unordered_map<std::string, std::unique_ptr<Voice>> voices;
  std::unordered_map<std::string, std::vector<Thought>> schemas;  // by family
  const Voice* human = nullptr;

  const crypto::SigningKey& custodial_key(const IdentityFacts& identity_facts) {
    const std::string facts = canonical_json(facts_of(identity_facts));
    auto& key = keys[facts];
    if (!key) key = std::make_unique<crypto::SigningKey>(keyring.custodial_key(facts));
    return *key;
  }

  Thought schema(json::object content) const {
    Thought thought;
    thought.type = kSchemaType;
    thought.content = std::move(content);
    thought.created_by = owner.cid;
    thought.created_at = keyring.created_at();
    name_and_sign(thought, keyring.owner_signing_key());
    return thought;
  }

  std::unique_ptr<Voice> make_voice(Thought identity, const crypto::SigningKey& key,
                                    std::string_view input) const {
    auto voice = std::make_unique<Voice>();
    voice->identity = std::move(identity);
    voice->schema = schema(input_schema(input));
    voice->uses_input = {.relation = "uses_input",
                         .from = voice->identity.cid,
                         .to = voice->schema.cid,
                         .created_by = voice->identity.cid,
                         .created_at = keyring.created_at()};
    voice->source = cid_of(voice->uses_input);
    voice->uses_input.signature = key.sign(crypto::bytes_of(voice->source.digest()));
    voice->key = &key;
    return voice;
  }

  const Voice& custodial_voice(const IdentityFacts& identity_facts, std::string_view input) {
    auto& voice = voices[lookup_key(
        {identity_facts.kind, identity_facts.name, identity_facts.provider, input})];
    if (!voice) {
      const crypto::SigningKey& key = custodial_key(identity_facts);
      voice = make_voice(make_identity(identity_facts, key, "claimed", keyring.created_at()), key,
                         input);
    }
    return *voice;
  }
};

Identities::Identities(const crypto::Keyring& keyring, std::optional<std::string> human)
    : state_(new State{.keyring = keyring,
                       .human_name = std::move(human),
                       .owner = owner_identity(keyring),
                       .keys = {},
                       .voices = {},
                       .schemas = {}}) {}

Identities::~Identities() = default;

const crypto::Keyring& Identities::keyring() const { return state_->keyring; }
const Thought& Identities::owner() const { return state_->owner; }
const crypto::SigningKey& Identities::owner_key() const {
  return state_->keyring.owner_signing_key();
}

const Voice& Identities::model(const std::string& name, const std::string& provider,
                               const std::string& input) {
  return state_->custodial_voice(
      {.kind = "model", .name = name.empty() ? "unknown" : name, .provider = provider}, input);
}

const Voice& Identities::tool(const std::string& name) {
  return state_->custodial_voice({.kind = "tool", .name = name.empty() ? "unknown" : name},
                                 kToolInput);
}

const Voice& Identities::human() {
  if (state_->human == nullptr) {
    if (state_->human_name) {
      state_->human =
          &state_->custodial_voice({.kind = "human", .name = *state_->human_name}, kHumanInput);
    } else {
      auto& voice = state_->voices[lookup_key({"owner", kHumanInput})];
      voice = state_->make_voice(state_->owner, owner_key(), kHumanInput);
      state_->human = voice.get();
    }
  }
  return *state_->human;
}

const std::vector<Thought>& Identities::schemas(const std::string& family) {
  std::vector<Thought>& schemas = state_->schemas[family];
  if (schemas.empty()) {
    schemas.push_back(state_->schema(conversation_schema(family)));
    for (const std::string_view relation : relations()) {
      schemas.push_back(state_->schema(relation_schema(relation)));
    }
  }
  return schemas;
}

Thought Identities::web_resource(std::string_view url) const {
  Thought resource;
  resource.type = "external/web_resource";
  resource.created_by = state_->owner.cid;
  resource.created_at = state_->keyring.created_at();
  set_content(resource, {{"url", url}}, state_->keyring);
  resource.cid = cid_of(resource);
  return resource;
}

}  // namespace weft::thought
