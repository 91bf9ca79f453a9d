// Checking a web: by anyone, without any key; and, with a keyring, whose it is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/thought.hpp"

namespace weft::thought {

// What one thought turned out to be.
enum class Verdict {
  valid,       // by the owner, or by a key that the keyring derives
  foreign,     // well signed, by somebody else
  consistent,  // well signed; no keyring at hand to say whose it is
};

struct Bad {
  Cid cid;
  std::string reason;
  friend bool operator==(const Bad&, const Bad&) = default;
};

struct Verification {
  std::uint64_t checked = 0, valid = 0, foreign = 0, consistent = 0;
  std::vector<Bad> bad;
  std::vector<Cid> missing;  // named by a because, an edge or a tree, and not there
  bool ok() const { return bad.empty() && missing.empty(); }
};

// The public keys behind identities, each checked when it is added.
class Witnesses {
 public:
  // Without a keyring, nobody's key is pinned.
  explicit Witnesses(const crypto::Keyring* keyring);

  // Checks an identity on its own: CID, creator, signature, and whether its key is the
  // one that the keyring pins for its facts. Fails as corrupt, with the reason.
  Status add(const Thought& identity);

  // CID and signature of any thought but structure's tree signatures. corrupt, with the
  // reason; not_found if its creator's identity was never added.
  Result<Verdict> check(const Thought& thought) const;
  // The verdict on whatever this identity signed. not_found as above.
  Result<Verdict> standing(const Cid& identity) const;

 private:
  struct Witness {
    crypto::PublicKey key;
    Verdict verdict;
  };
  const crypto::Keyring* keyring_;
  std::unordered_map<Cid, Witness> witnesses_;
};

// The whole check of one thought's tree signature, given the checkpoint it names: the
// checkpoint is by the same creator, the path leads to its root. corrupt, with the reason.
Status check_tree_signature(const Thought& thought, const Thought& checkpoint);

}  // namespace weft::thought
