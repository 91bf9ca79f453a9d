// Compression dictionaries for the archive. The text of a file is in the thoughts that were woven
// from it, so its bytes are compressed against these thoughts. A segment becomes a fifth of the
// size it has without a dictionary, in half the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/store/store.hpp"

namespace weft::ingest {

// Thoughts, and their plaintexts one after the other.
struct ArchiveDictionary {
  std::vector<Cid> thoughts{};
  std::string text{};
};

// The units [first, last) of Batch::units.
struct UnitRange {
  std::size_t first = 0, last = 0;
};

// A segment of a source before it is compressed and sealed.
struct RawSegment {
  std::size_t source = 0;  // its index in Batch::sources
  std::uint64_t seq = 0;
  std::string bytes;
  UnitRange units{};  // woven from the source in this commit
  std::size_t part = 0,
              parts = 1;  // the index of this segment, and the number of segments, in this commit
};

// The dictionary for a segment of a batch with these plaintexts. Each of several segments of a
// source gets its share of the units.
ArchiveDictionary dictionary_for(const RawSegment& raw, const store::Batch& batch,
                                 const store::Plaintexts& plaintexts);

// The text of a dictionary, rebuilt from its thoughts. not_found if one is missing.
Result<std::string> dictionary_text(const store::Store& store, const crypto::Keyring& keyring,
                                    const std::vector<Cid>& thoughts);

}  // namespace weft::ingest
