// The terms of a thought: what the search indexes store of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/store/indexer.hpp"
#include "weft/store/searchable.hpp"

namespace weft::store {

// The ids of the indexer's own keys, with which sealed text is indexed; empty where it is not.
struct IndexKeys {
  std::string metadata{}, content{};
};
IndexKeys keys_of(const Indexer& indexer);

// What one block adds to the index is bounded: of a text with more different terms than this, the
// first ones are searched. 400,000 are more than any language has in daily use; what exceeds it is
// generated, and would take gigabytes of memory.
inline constexpr std::size_t kMaxDistinctTerms = 400'000;

// Stands in packed terms where no length can: no term is longer than search::kMaxTermBytes.
inline constexpr std::uint8_t kRepeat = 255;

// A layer that is sealed with another key than the indexer's own has a term that says so, beside
// its text if the indexer has that key, and alone if it has not. No text has these terms, and a
// reader needs no key to look them up.
//   indexed_term("9745c0ad6dde0977") == "key=9745c0ad6dde0977"
std::string indexed_term(std::string_view key_id);
std::string closed_term(std::string_view key_id);

// The terms of one layer in one string, and how many of them count towards its length. Packed: for
// each term its length (one byte) and its bytes, after a 0 if it has the position of the term
// before it, or after kRepeat and a count (4 bytes, little endian) if it stands several times.
struct LayerTerms {
  std::string packed{};
  std::uint32_t length = 0;
};
struct ThoughtTerms {
  LayerTerms clear{}, metadata{}, content{};
  bool empty() const {
    return clear.packed.empty() && metadata.packed.empty() && content.packed.empty();
  }
};

// Empty for a thought that is not searched. Secrets in clear text have no terms: the index of a
// store that somebody took must not say them again. Any thread may call it.
std::optional<ThoughtTerms> terms_of(const thought::Thought& thought, const Indexer& indexer);
// The same, with layers that the indexer's keyring has opened already. `is_without_secrets`: none
// was found in it, so that none is looked for.
std::optional<ThoughtTerms> terms_of(const thought::Thought& thought, const OpenLayers& layers,
                                     const Indexer& indexer, bool is_without_secrets = false);

}  // namespace weft::store
