// Judge: decides whether rows are what was named and signed. For one thread, on one reader. Reads
// everything by id: the index of names may be damaged too.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/thought/verify.hpp"

namespace weft::store::sql {

enum class Flaw {
  none,
  content,    // it cannot be read, or does not hash to its CID
  creator,    // the identity that signs it is damaged or missing
  signature,  // the signature cannot be read, or does not hold
};

struct Judgement {
  Flaw flaw = Flaw::none;
  std::string reason{};
  std::optional<Cid> computed{};  // the CID that its content has; empty if it cannot be read
};

// The tree of a checkpoint.
enum class TreeState {
  whole,    // its leaves lead to the root that the checkpoint signs
  damaged,  // they do not
  absent,   // its leaves are not stored
  unknown,  // the checkpoint itself is damaged
};

class Judge {
 public:
  // Both outlive it; `keyring` may be null.
  Judge(Reader& reader, const crypto::Keyring* keyring)
      : reader_(reader), keyring_(keyring), witnesses_(keyring) {}

  // A row of `thoughts`, if `cid` is its name.
  Judgement judge(const ThoughtColumns& row, const Cid& cid);
  // A connection: against its stored name, if it has one, and the signature that it has of its
  // own. One that is signed where it stands is proven by the tree alone.
  Judgement judge(const Edge& edge, const std::optional<Cid>& name);
  TreeState tree_state(Id checkpoint);
  // Whether a row that judge() finds flawless is also proven: if a tree signs it, its leaves lead
  // to the root. The names of leaves are stored, so that a leaf alone proves nothing.
  bool is_proven(const ThoughtColumns& row);

  // What the keyring signs for this identity; empty if it does not have that key.
  std::optional<crypto::SignatureBytes> sign_again(Id creator, const Cid& cid);
  // Clears what it remembers: call it after rows were changed.
  void forget();

 private:
  // `thought` has no content, which is `text`.
  Judgement judge_signature(thought::Thought& thought, const ThoughtColumns& row,
                            std::string_view text);
  Status check_leaf(const Cid& cid, const Cid& created_by, const PackedSignature& signature);
  void summon(Id identity);

  Reader& reader_;
  const crypto::Keyring* keyring_;
  thought::Witnesses witnesses_;
  std::unordered_set<Id> summoned_;
  std::string room_, form_;
  // The tree asked for last.
  Id tree_of_ = 0;
  std::vector<Cid> leaves_;
};

}  // namespace weft::store::sql
