// TermMerge: reads several runs as one: each term once, its postings in the order of documents.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "weft/store/inverted/run_reader.hpp"

namespace weft::store::sql {

class TermMerge {
 public:
  // `pages` outlive it. The runs are in the order of their documents, of which they share none.
  TermMerge(IndexPages& pages, std::span<const IndexRun> runs, RunReader::Positions positions);

  // See RunReader::start_at.
  void start_at(std::string_view term);
  // Moves to the next term; what is left of this one is skipped. False after the last.
  Result<bool> next_term();
  // Moves to the next posting of the term. False after its last.
  Result<bool> next_posting();

  const std::string& term() const { return term_; }
  // Both until the next call. Precondition: next_posting() returned true.
  const Posting& posting() const { return readers_[having_[at_]].posting(); }
  std::string_view positions() const { return readers_[having_[at_]].positions(); }

 private:
  using Reader = std::size_t;  // in readers_

  std::deque<RunReader> readers_;
  std::vector<Reader> having_;   // those that have the term, in order; all before the first term
  std::size_t at_ = 0;           // in having_: the one that is read
  std::vector<Reader> waiting_;  // the others, as a heap with the least term on top
  std::string term_;
};

}  // namespace weft::store::sql
