// Attestation: a statement about other thoughts, which never change for it: who stands behind an
// identity, and how words came to be known.
#pragma once

#include <string>
#include <vector>

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

}  // namespace weft::thought
