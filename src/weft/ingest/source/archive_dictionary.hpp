// What a piece of the archive leans on. A file's words are in the thoughts that were woven of it,
// so its bytes are compressed against these: what is left is what no thought says. A piece is a
// fifth of what it would be by itself, and takes half the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/store/store.hpp"

namespace weft::ingest {

// Thoughts, and what they say, one after the other.
struct ArchiveDictionary {
  std::vector<Cid> thoughts{};
  std::string text{};
};

// Of Batch::woven: from `first` to before `last`.
struct UnitRange {
  std::size_t first = 0, last = 0;
};

// Bytes of a source on their way into the archive.
struct RawSegment {
  std::size_t source = 0;  // its place in Batch::sources
  std::uint64_t seq = 0;
  std::string bytes;
  UnitRange units{};                // what came of the source in this commit
  std::size_t part = 0, parts = 1;  // which of as many pieces of it this is
};

// For a piece of a batch that says `said`. Of a source in several pieces each leans on its share.
ArchiveDictionary dictionary_for(const RawSegment& raw, const store::Batch& batch,
                                 const store::Plaintexts& said);

// The text of `thoughts` once more. not_found if one is not there.
Result<std::string> leaned_text(const store::Store& store, const crypto::Keyring& keyring,
                                const std::vector<Cid>& thoughts);

}  // namespace weft::ingest
