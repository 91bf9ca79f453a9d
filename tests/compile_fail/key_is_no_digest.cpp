// A key is no digest: nothing that shows, stores or compares hashes takes a secret.
// error: could not convert|invalid initialization|no viable conversion|no known conversion|no
// matching function
#include "weft/base/cid.hpp"
#include "weft/crypto/secret.hpp"

std::string name_of(const weft::Digest& digest);

std::string show(const weft::crypto::Key& key, const weft::Digest& digest) {
#ifdef MISTAKE
  return name_of(key);
#else
  static_cast<void>(key);
  return name_of(digest);
#endif
}
