// Thoughts from another store: the JSON lines of `weft export --as thoughts`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

struct Refused {
  std::uint64_t line = 0;
  std::string cid;  // empty where the line is no thought at all
  std::string reason;
};

struct ImportReport {
  std::uint64_t read = 0, new_thoughts = 0;
  std::uint64_t valid = 0, foreign = 0;  // of those taken: by this keyring's keys, by others'
  std::vector<Cid> conversations;
  std::vector<Refused> refused;
};

// Reads all of `text`, then checks it: CIDs, signatures, tree paths, and that what a
// thought rests on is in the file or in the store. What fails is refused and named, the
// rest is taken with its signatures as they are, and can be found, sealed text too as far as
// the keyring opens it and `index_sealed` says.
Result<ImportReport> import_thoughts(store::Store& store, const crypto::Keyring* keyring,
                                     std::string_view text, bool index_sealed = true);

}  // namespace weft::ingest
