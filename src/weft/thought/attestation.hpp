// Attestation: a statement about other thoughts, which never change for it: who stands behind an
// identity, and how words came to be known.
#pragma once

#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kAttestationType = "attestation";

// What every attestation says. Its other members depend on `via`.
struct Attestation {
  std::vector<Cid> on;  // what it is about, one or more; also its `because`
  std::string via;      // "ssh", "record"
  std::string level;    // "witnessed" or "verified"
};

// invalid_input if `thought` is not one.
Result<Attestation> to_attestation(const Thought& thought);

// An attestation by `creator`, not signed yet. `more` is added to its content.
Thought make_attestation(const Attestation& attestation, json::object more, const Cid& creator,
                         Millis now);

// What `weft record` says of words that it heard: they came over the wire, and not from a file.
// `heard` is sealed in the content layer; weft writes kRequestHash and kResponseHash.
Thought make_witness(std::vector<Cid> on, json::object heard, const Cid& creator, Millis now,
                     const crypto::Keyring& keyring);
// Whether an attestation is one of these.
bool is_witness(const Attestation& attestation);

inline constexpr std::string_view kRecordVia = "record", kWitnessed = "witnessed";
// SHA-256 of the bodies as the API sent and got them, without content codings: 64 hex digits.
inline constexpr std::string_view kRequestHash = "request_sha256",
                                  kResponseHash = "response_sha256";

}  // namespace weft::thought
