// One question against the indexes: which documents match, and how well
// (docs/design.md, "Search").
//
// Words are taken one after the other. The documents that have a word are told by each index that
// the keys reach, merged, and their scores added to. So memory is that of one word's documents and
// one number for each document of the store.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "weft/crypto/layers.hpp"
#include "weft/search/query.hpp"
#include "weft/store/postings/documents.hpp"
#include "weft/store/search.hpp"

namespace weft::store::sql {

// The score of every document, 0 for those that nothing touched.
struct Scores {
  std::vector<double> of{};
  std::vector<Document> touched{};
};

// Lends scores out, all zero: to fill eight megabytes with zeroes takes longer than most questions.
class ScorePool {
 public:
  Scores take(std::size_t documents);
  void give_back(Scores scores);

 private:
  static constexpr std::size_t kKept = 4;
  std::mutex mutex_;
  std::vector<Scores> free_;  // guarded by mutex_
};

class Matching {
 public:
  // What sealed text of a document says, for phrases; empty where it cannot be opened.
  using ReadText = std::function<Result<Searchable>(Document)>;
  // All outlive it. `lengths` are those of `reach`, and `keyring` opens what it reaches.
  Matching(const sqlite::Database& database, const Documents& documents, const Lengths& lengths,
           Reach reach, const crypto::Keyring* keyring, ReadText read, Scores& scores)
      : database_(database),
        documents_(documents),
        lengths_(lengths),
        reach_(reach),
        keyring_(keyring),
        read_(std::move(read)),
        scores_(scores) {}

  // Scores all words. Of more than kMaxWords that only may match, the rarest count.
  static constexpr std::size_t kMaxWords = 64;
  Status run(const std::vector<search::Word>& words);

  // Whether any word can match at all: without one there are only filters.
  bool has_words() const { return has_words_; }
  // Those that have all that must be and nothing that must not, in no order.
  std::vector<Document> matches() const;
  // Takes those away that have something that must not be.
  void leave_out(std::vector<Document>& documents) const;
  // For each word; as SearchAnswer has them.
  const std::vector<double>& weights() const { return weights_; }
  const Unsearched& unsearched() const { return unsearched_; }

  // Documents of tools, by name.
  Result<std::vector<Document>> of_tool(std::string_view name) const;

 private:
  Result<std::vector<Posting>> find_term(const std::string& term) const;
  Result<std::vector<Posting>> find_phrase(const std::vector<std::string>& leaves);
  Result<std::vector<Posting>> find_sealed_phrase(const std::vector<std::string>& leaves,
                                                  Index index) const;
  Result<std::vector<Posting>> find_sealed(Index index, const std::string& term) const;
  // Adds to scores, and returns what it is worth.
  double score(const std::vector<Posting>& postings);
  Status take(const search::Word& word, double& weight);
  Status keep_rarest(const std::vector<search::Word>& words, std::vector<bool>& is_left_out) const;
  const crypto::LayerKey* key_of(Index index) const;
  bool reaches(Index index) const { return (reach_ & reach_of(index)) != 0; }
  bool has_sealed() const;

  const sqlite::Database& database_;
  const Documents& documents_;
  const Lengths& lengths_;
  const Reach reach_;
  const crypto::Keyring* keyring_;
  const ReadText read_;
  Scores& scores_;
  bool has_words_ = false;
  bool has_must_ = false;
  std::vector<Document> must_;  // have all that must be, in order; if has_must_
  std::vector<bool> not_;       // have something that must not be; empty if nothing must not
  std::vector<double> weights_;
  Unsearched unsearched_;
};

}  // namespace weft::store::sql
