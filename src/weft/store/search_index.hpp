// SearchIndex: finds thoughts by the words in them, ranked by BM25 (docs/design.md, "Search").
//
// There are three indexes: of clear text, and of the text that each of the two layers seals, by
// blind terms. A request reads those that its keyring opens; a thought with text in several of them
// is one result. A committed thought can be found, and a result is committed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/search/query.hpp"

namespace weft::store {

// A place of a thought: a conversation and a turn in it.
struct ThoughtPlace {
  Cid conversation, turn;
};

// A state of the index: later searches can be limited to the documents that it had, and then score
// them as it did.
struct IndexPoint {
  std::int64_t epoch = 0;  // changes when documents that the index had are changed or removed
  std::int64_t documents = 0;
  std::uint64_t texts = 0, length = 0;  // texts that could be searched, and their terms
  friend bool operator==(const IndexPoint&, const IndexPoint&) = default;
};

struct SearchRequest {
  search::Query query{};  // its projects and sessions are ignored: see `conversations`
  const crypto::Keyring* keyring = nullptr;  // opens sealed text; may be null
  // Only thoughts in these conversations; anywhere if it is empty.
  std::optional<std::vector<Cid>> conversations{};
  std::uint64_t limit = 20, offset = 0;
  // Only what the index had then, so that pages of one search fit together while it grows. The
  // search fails with invalid_input if its epoch has passed.
  std::optional<IndexPoint> as_of{};
};

struct Found {
  Cid cid;
  double score = 0;
  Millis created_at = 0;
};
struct FoundSession {
  Found best{};                     // the block of the conversation with the best score
  std::optional<Cid> conversation;  // empty for a block that is in none
  std::uint64_t more = 0;           // further matches in it
};
struct FoundTurn {
  Cid turn;      // the human turn that opens the exchange; without one, the first turn
  Found best{};  // the block of the exchange with the best score
};

// What a search left out, and why.
struct Unsearched {
  bool without_key = false;  // sealed text that the keyring does not open
  // Sealed text that was stored before the keyring had its key: reindex.
  bool before_key = false;
  // The thoughts with text of these two kinds; empty if that is not known.
  std::optional<std::uint64_t> sealed_thoughts{0};
  bool by_prefix = false;  // sealed text: a prefix does not match blind terms
  bool by_stop_phrase =
      false;  // sealed text: stop words, of which the phrase consists, are not indexed
  bool not_indexed = false;  // thoughts that were stored before there was an index: reindex
};

struct SearchAnswer {
  // Best first; of equal scores the newest, then the one stored last.
  std::vector<Found> found{};
  std::uint64_t total = 0;  // number of matches
  // The weight of each word of the query, 0 if no thought has it: for snippets.
  std::vector<double> weights{};
  Unsearched unsearched{};
  IndexPoint as_of{};  // the state that was searched
};
// The same by conversations, with the score of their best block. `total` counts blocks.
struct SessionAnswer {
  std::vector<FoundSession> found{};
  bool has_more = false;  // conversations after these
  std::uint64_t total = 0;
  std::vector<double> weights{};
  Unsearched unsearched{};
  IndexPoint as_of{};
};
// The same by exchanges: a person's text and the answer to it, with the score of their best block.
struct TurnAnswer {
  std::vector<FoundTurn> found{};
  std::uint64_t total = 0;
  std::vector<double> weights{};
  Unsearched unsearched{};
  IndexPoint as_of{};
};

// A term of the index of clear text that resembles another one.
struct NearTerm {
  std::string text{};
  std::size_t edits = 0;        // letters to add, remove, replace, or swap with a neighbour
  std::uint64_t documents = 0;  // that have it
  friend bool operator==(const NearTerm&, const NearTerm&) = default;
};

class SearchIndex {
 public:
  virtual ~SearchIndex() = default;

  // An empty query, or one that only excludes words, finds nothing; filters without words find
  // everything that passes them. corrupt if the index is damaged: reindex.
  [[nodiscard]] virtual Result<SearchAnswer> search(const SearchRequest& request) const = 0;
  // A block that is in several conversations counts in the first of them that is found.
  [[nodiscard]] virtual Result<SessionAnswer> search_sessions(
      const SearchRequest& request) const = 0;
  [[nodiscard]] virtual Result<TurnAnswer> search_turns(const SearchRequest& request) const = 0;
  // Terms that `term` may be a misspelling of: those of clear text, never of sealed layers, that
  // differ from it by at most `max_edits`. The nearest first, of equally near ones those in more
  // documents; at most ten. Only terms that begin with the first or the second letter of `term` are
  // compared, and only so many that the answer does not keep a person waiting.
  [[nodiscard]] virtual Result<std::vector<NearTerm>> near_terms(const std::string& term,
                                                                 std::size_t max_edits) const = 0;
  // The places of a thought, newest first; for a summary or citation, those of its block.
  [[nodiscard]] virtual Result<std::vector<ThoughtPlace>> places_of(const Cid& thought) const = 0;
};

}  // namespace weft::store
