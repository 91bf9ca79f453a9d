// Matching: finds the documents that match the words of a query, and scores them with BM25
// (docs/design.md, "Search").
//
// Words are matched one after another. The postings of a word in all indexes that the keys open are
// merged, and their scores added. So memory is that of one word's postings and one number for each
// document of the store.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "weft/crypto/layers.hpp"
#include "weft/search/query.hpp"
#include "weft/store/postings/documents.hpp"
#include "weft/store/search_index.hpp"
#include "weft/store/searchable.hpp"

namespace weft::store::sql {

// The score of every document, 0 for those that nothing touched.
struct Scores {
  std::vector<double> of{};
  std::vector<Document> touched{};
};

// A pool of scores, all zero: filling eight megabytes with zeroes takes longer than most requests.
class ScorePool {
 public:
  Scores take(std::size_t documents);
  void give_back(Scores scores);

 private:
  static constexpr std::size_t kKept = 4;
  std::mutex mutex_;
  std::vector<Scores> free_;  // guarded by mutex_
};

// What scores are measured against.
struct Statistics {
  double texts = 0, average = 0;  // number of texts, and their length
  Document last = 0;              // later documents are left out
};

class Matching {
 public:
  // Reads the text of a document, for phrases in sealed text.
  using ReadText = std::function<Result<Searchable>(Document)>;
  // The keys with which words are looked up, by index.
  using Keys = std::array<std::vector<const crypto::LayerKey*>, 3>;
  // All outlive it. `lengths` are those of `reach`, and `keys` open what it reaches.
  Matching(Postings& postings, const Documents& documents, const Lengths& lengths,
           const Statistics& statistics, Reach reach, const Keys& keys, ReadText read,
           Scores& scores)
      : postings_(postings),
        documents_(documents),
        lengths_(lengths),
        statistics_(statistics),
        reach_(reach),
        keys_(keys),
        read_(std::move(read)),
        scores_(scores) {}

  // Scores all words. Of more than kMaxWords optional ones, the rarest count.
  static constexpr std::size_t kMaxWords = 64;
  Status run(const std::vector<search::Word>& words);

  // Whether any word can match: otherwise there are only filters.
  bool has_words() const { return has_words_; }
  // The documents with all required words and no excluded one, in no order.
  std::vector<Document> matches() const;
  // Removes documents with an excluded word.
  void leave_out(std::vector<Document>& documents) const;
  // Of each word, as in SearchAnswer.
  const std::vector<double>& weights() const { return weights_; }
  const Unsearched& unsearched() const { return unsearched_; }

  // The documents of a tool.
  Result<std::vector<Document>> of_tool(std::string_view name) const;

 private:
  Result<std::vector<Posting>> find_term(const std::string& term) const;
  Result<std::vector<Posting>> find_phrase(const std::vector<std::string>& leaves);
  Result<std::vector<Posting>> find_sealed_phrase(const std::vector<std::string>& leaves,
                                                  Index index) const;
  Result<std::vector<Posting>> find_sealed(Index index, const std::string& term) const;
  // Adds to the scores, and returns the weight.
  double score(const std::vector<Posting>& postings);
  Status take(const search::Word& word, double& weight);
  Status keep_rarest(const std::vector<search::Word>& words, std::vector<bool>& is_left_out) const;
  bool reaches(Index index) const { return (reach_ & reach_of(index)) != 0; }
  bool has_sealed() const;

  Postings& postings_;
  const Documents& documents_;
  const Lengths& lengths_;
  const Statistics statistics_;
  const Reach reach_;
  const Keys& keys_;
  const ReadText read_;
  Scores& scores_;
  bool has_words_ = false;
  bool has_must_ = false;
  std::vector<Document> must_;  // with all required words, in order; if has_must_
  std::vector<bool> not_;       // with an excluded word; empty if no word is excluded
  std::vector<double> weights_;
  Unsearched unsearched_;
};

}  // namespace weft::store::sql
