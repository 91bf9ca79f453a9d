// SecretMask: what answers show in place of secrets, `[secret github-token #3f2a]`.
//
// A thought is never changed: only what leaves for people and models elsewhere is masked. A Library
// with a mask (library.hpp) masks what it opens, before texts are cut, so that no part of a secret
// is left at the edge of an excerpt.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/store/tables/fingerprints.hpp"

namespace weft::query {

class SecretMask {
 public:
  // Fingerprints are made with a key of the content layer: without that key, they are those of
  // nobody and name a value only within one answer. `keyring` may be null.
  explicit SecretMask(const crypto::Keyring* keyring);

  // 64 hex digits that name a value: equal values have equal ones, and without the key they reveal
  // nothing. A mask shows the first four.
  std::string fingerprint(std::string_view secret) const;

  std::string masked(std::string_view text) const;
  // The same with as many lines: the newlines of a secret stand after its mask.
  std::string masked_by_line(std::string_view text) const;
  // Every text in it, names of members included. Returns how many secrets there were.
  std::size_t mask(json::value& value) const;
  std::size_t mask(json::object& object) const;

 private:
  store::Fingerprints fingerprints_;
};

}  // namespace weft::query
