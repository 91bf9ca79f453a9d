// Imports thoughts of another store: the JSON lines of `weft export --as thoughts`.
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
  std::string cid;  // empty if the line is not a thought
  std::string reason;
};

struct ImportReport {
  std::uint64_t read = 0, new_thoughts = 0;
  std::uint64_t valid = 0, foreign = 0;  // imported ones signed by this keyring's keys, by others'
  std::vector<Cid> conversations;
  std::vector<Refused> refused;
};

// Reads all of `text`, then checks CIDs, signatures, tree paths, that boxes under keys of `keyring`
// open, that everything a thought rests on is in the file or in the store, and the rules of
// import_rules.hpp. Thoughts that fail are refused and reported; the others
// are committed with their signatures, and indexed: sealed text, too, if the keyring opens it and
// `index_sealed` is set.
Result<ImportReport> import_thoughts(store::Store& store, const crypto::Keyring* keyring,
                                     std::string_view text, bool index_sealed = true);

}  // namespace weft::ingest
