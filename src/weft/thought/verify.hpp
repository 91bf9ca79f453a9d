// Checks single thoughts: without any key that they are well signed, with a keyring also by whom.
// query/verify/verify.hpp checks a whole store with this.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/thought.hpp"

namespace weft::thought {

// The verdict on a thought that passes its checks.
enum class Verdict {
  valid,       // by the owner, or by a key that the keyring derives
  foreign,     // well signed, by somebody else
  consistent,  // well signed; no keyring at hand to say by whom
};

// The identities of a web, each checked when it is added; the other thoughts are checked against
// them. Add from one thread; once adding is over, any number of threads may ask.
class Witnesses {
 public:
  // Without a keyring no key is pinned. The keyring outlives this object.
  explicit Witnesses(const crypto::Keyring* keyring) : keyring_(keyring) {}

  // Checks an identity on its own: CID, creator, signature; and whether its key is the
  // one that the keyring pins for its facts. corrupt, with the reason.
  Result<Verdict> add(const Thought& identity);

  // CID and Ed25519 signature of a thought. corrupt, with the reason; not_found if its
  // creator was never added. A tree signature is not checked here.
  Result<Verdict> check(const Thought& thought) const;
  // The same, given its canonical form; `thought` need not contain its content.
  Result<Verdict> check(const Thought& thought, std::string_view form) const;

  // The verdict on what this identity signs; empty if it was never added.
  std::optional<Verdict> verdict_of(const Cid& identity) const;

 private:
  struct Witness {
    crypto::PublicKey key;
    Verdict verdict;
  };
  Verdict verdict_on(const Thought& identity, const crypto::PublicKey& key) const;

  const crypto::Keyring* keyring_;
  std::unordered_map<Cid, Witness> witnesses_;
};

// Checks a tree signature, given the checkpoint that it names, itself checked already: the
// thought may be signed through a tree, has the same creator, and its path leads to the root.
// corrupt, with the reason.
Status check_tree_signature(const Thought& thought, const Thought& checkpoint);

// Checks that a thought is the stated leaf of a checkpoint, itself checked already. corrupt, with
// the reason: also if the checkpoint is of version 1, which covers structure alone.
Status check_covered(const Thought& thought, const TreeSignature& leaf, const Thought& checkpoint);

}  // namespace weft::thought
