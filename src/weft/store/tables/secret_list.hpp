// Secrets in thoughts: where they stand, as answers list them and as the table `secrets` keeps
// them. Their values are kept nowhere but in the thoughts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"
#include "weft/secrets/secret.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/searchable.hpp"
#include "weft/store/tables/block_tally.hpp"
#include "weft/store/tables/fingerprints.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

struct SecretPlace {
  Portion portion = Portion::clear;      // whether a layer of the thought seals it, and which
  std::string member{};                  // JSON Pointer of the text within the thought
  std::uint64_t offset = 0, length = 0;  // bytes of UTF-8
  std::string rule{};
  Fingerprint fingerprint{};

  friend auto operator<=>(const SecretPlace&, const SecretPlace&) = default;
};

// A secret in a text of a JSON value. Views are valid during the call.
struct FoundSecret {
  std::string_view member;  // JSON Pointer; a name that is a secret itself is `[secret RULE]` there
  std::string_view text;
  const secrets::Finding& finding;

  std::string_view value() const { return text.substr(finding.offset, finding.length); }
};
// Visits each secret in the texts of `members` and in their names, at any depth. `root` is the
// pointer of `members`.
void each_secret(const json::object& members, std::string_view root, secrets::Tier least,
                 const std::function<void(const FoundSecret&)>& visit);

// Whether secrets are looked for in thoughts of this type: blocks, what comes with them, and facts.
bool may_have_secrets(std::string_view type);
// Those of one thought, of the sure tier.
struct ThoughtSecrets {
  std::vector<SecretPlace> places{};               // in the order of the texts
  bool has_metadata = false, has_content = false;  // layers, open or not
  bool is_whole = true;                            // every layer was open
};
// `layers` are the open ones.
ThoughtSecrets secrets_of(const thought::Thought& thought, const OpenLayers& layers,
                          const Fingerprints& fingerprints);

// A secret in a thought of a conversation.
struct SecretRow {
  sql::Id thought = 0;
  SecretPlace place{};

  friend auto operator<=>(const SecretRow&, const SecretRow&) = default;
};
// As stored (docs/formats/store.md, "Secrets"): those of one portion; empty for none.
std::string pack(const std::vector<SecretRow>& rows, Portion portion);
// Appends to `out`. Bytes that cannot be read are `corrupt`.
Status unpack_secrets(std::string_view bytes, Portion portion, std::vector<SecretRow>& out);

}  // namespace weft::store
