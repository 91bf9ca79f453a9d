// Collects what proves a thought: its causes back to the prompt, the edges and places that the
// owner signed, and the identities, inputs and checkpoints that checking them takes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/proof/proof.hpp"

namespace weft::query {

struct ProofOptions {
  // Causes up to this prompt, and nothing older. Without it, up to the nearest prompt of each
  // chain.
  std::optional<Cid> to{};
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();  // steps
  // Thoughts and kinds ("tool_result") of which only a stub is shown.
  std::vector<Cid> hidden{};
  std::vector<std::string> hidden_kinds{};
};

struct CollectedProof {
  Proof proof{};              // `is_signed` and `page` are the caller's
  std::uint64_t secrets = 0;  // thoughts that are stubs because a secret stands in them
  std::uint64_t quoting = 0;  // and because they quote something hidden
  std::uint64_t beyond = 0;   // and because they are beyond the prompt or the depth
};

// The keyring of the library is not used: what is sealed stays sealed. What lies beyond the prompt
// or the depth is a stub, as are thoughts with a sure secret and those that quote something hidden.
//
// not_found if a cause is neither stored nor forgotten with a tombstone. invalid_input if the
// subject stands in no conversation, `to` or something hidden is not among the causes, or the
// subject itself would be hidden. denied if a secret stands in what cannot be hidden: the name of
// an identity, say.
Result<CollectedProof> collect_proof(const Library& library, const Cid& subject,
                                     const ProofOptions& options);

}  // namespace weft::query
