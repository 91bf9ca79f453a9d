// Distinguishes forgotten thoughts, for which a signed tombstone exists, from lost ones.
#pragma once

#include <map>
#include <optional>

#include "weft/store/store.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

// For one thread at a time.
class Tombstones {
 public:
  // Both outlive it. `keyring` may be null.
  Tombstones(const store::Store& store, const crypto::Keyring* keyring)
      : store_(store), keyring_(keyring) {}

  // Whether a valid tombstone covers this thought. With a keyring it must be the owner's; another
  // signer's covers only what that signer's own thoughts refer to, or what was sealed in that
  // signer's own conversations. Without a keyring, any correctly
  // signed one.
  bool list(const Cid& cid);

 private:
  struct Judged {
    thought::Tombstone tombstone;
    thought::Verdict verdict;
    Cid creator;
  };
  const std::optional<Judged>& judge(const Cid& tombstone);
  bool is_mentioned_only_by(const Cid& cid, const Cid& creator) const;
  bool is_held_only_by(const Cid& cid, const Cid& creator) const;

  const store::Store& store_;
  const crypto::Keyring* keyring_;
  std::map<Cid, std::optional<Judged>> judged_;  // empty if it is not valid
};

}  // namespace weft::query
