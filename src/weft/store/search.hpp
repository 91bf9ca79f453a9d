// The store's side of search: what is indexed, what is asked, and what is found (docs/design.md,
// "Search").
//
// There are three indexes: of clear text, and of what each of the two layers seals, by blind
// terms. A question goes to those whose keys are there; a thought that stands in several of
// them is one text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/search/query.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// Who makes terms of thoughts: with keys, of sealed text too.
struct Indexer {
  const crypto::Keyring* keyring = nullptr;  // may be null; outlives the indexer
  bool index_sealed = true;                  // `index_sealed` of the configuration
};

// Under which keys sealed text was indexed, by their ids; empty where it was not.
struct IndexKeys {
  std::string metadata{}, content{};
};
IndexKeys keys_of(const Indexer& indexer);

// What of a thought is searched, by layer: the words of people, models and tools, and nothing
// of their structure. Empty for what is no block.
struct Searchable {
  std::string clear{}, metadata{}, content{};
  // The tool's name, for tool: filters: where it is in the clear, and where M seals it.
  std::string tool{}, sealed_tool{};
};
// Of a thought as it is stored. Layers that the keyring does not open are left out.
Searchable searchable(const thought::Thought& thought, const crypto::Keyring* keyring);
// What the layers of a thought say, in canonical JSON; empty where there is none, or none that the
// keyring opens. (Damage is verify's to tell.)
struct OpenLayers {
  std::string metadata{}, content{};
};
OpenLayers open_layers(const thought::Thought& thought, const crypto::Keyring* keyring);
// The same of layers that are open already.
Searchable searchable(const thought::Thought& thought, const OpenLayers& layers);
// Whether thoughts of this type are searched at all.
bool is_searched(std::string_view type);
// All of it in one, as snippets are made of it and phrases are looked for.
std::string searchable_text(const thought::Thought& thought, const crypto::Keyring* keyring);

// A thought's terms, as the indexes take them: of each layer one string, and how many of its
// terms count towards its length. Packed: for each term its length (one byte) and its bytes,
// after a 0 where it stands at the position of the term before it.
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
// Of a thought that may be found; empty for any other. Safe from any thread.
std::optional<ThoughtTerms> terms_of(const thought::Thought& thought, const Indexer& indexer);
// The same, with layers that the indexer's keyring has opened already.
std::optional<ThoughtTerms> terms_of(const thought::Thought& thought, const OpenLayers& layers,
                                     const Indexer& indexer);

// A place of a thought: a conversation, and the turn there.
struct ThoughtPlace {
  Cid conversation, turn;
};

struct SearchRequest {
  search::Query query{};  // its projects and sessions are not looked at: see `conversations`
  const crypto::Keyring* keyring = nullptr;  // what it reaches is searched; may be null
  // Only what stands in one of these; none given: anywhere.
  std::optional<std::vector<Cid>> conversations{};
  std::uint64_t limit = 20, offset = 0;
};

struct Found {
  Cid cid;
  double score = 0;
  Millis created_at = 0;
};
struct FoundTurn {
  Cid turn;      // the human turn that opens the exchange; where there is none, the first turn
  Found best{};  // the block of the exchange that counts most
};

// What was left out of a search, and why.
struct Unsearched {
  bool without_key = false;     // sealed text that these keys do not open
  bool by_prefix = false;       // sealed text: a prefix does not reach it
  bool by_stop_phrase = false;  // sealed text: nor does a phrase of nothing but stop words
  bool not_indexed = false;     // what was taken in before there was an index: reindex
};

struct SearchAnswer {
  // Best first; of equal ones the newest, then the one that was stored last.
  std::vector<Found> found{};
  std::uint64_t total = 0;  // how many match
  // What each word of the query is worth, 0 where nothing has it: for snippets.
  std::vector<double> weights{};
  Unsearched unsearched{};
};
// The same by exchanges: human words and the answer to them, as good as their best block.
struct TurnAnswer {
  std::vector<FoundTurn> found{};
  std::uint64_t total = 0;
  std::vector<double> weights{};
  Unsearched unsearched{};
};

}  // namespace weft::store
