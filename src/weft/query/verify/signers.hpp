// Signers: who signed what is foreign to the keyring, and whom of them its owner trusts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "weft/base/json.hpp"
#include "weft/store/store.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {

// The foreign thoughts of each identity. For one thread at a time.
class Signers {
 public:
  // `block` is a thought that may stand in a conversation; empty for others.
  void add(const Cid& identity, const std::optional<Cid>& block = {});
  Signers& operator+=(const Signers& other);

  struct Signed {
    std::uint64_t thoughts = 0;
    std::optional<Cid> block{};  // one of them
  };
  const std::map<Cid, Signed>& by_identity() const { return by_identity_; }

 private:
  std::map<Cid, Signed> by_identity_;
};

struct SignersReport {
  std::uint64_t trusted = 0;  // of the foreign thoughts, those of trusted owners
  json::array signers{};      // [{name, key, trusted, signatures}], most signatures first
};
// The models and tools of a conversation's owner are counted as theirs: of each identity that is no
// person, one block is looked up, and who placed it speaks for it. Trusted owners have the names of
// the keyring, others the one that they gave themselves.
Result<SignersReport> report_signers(const store::Store& store, const crypto::Keyring& keyring,
                                     const Signers& signers);

}  // namespace weft::query
