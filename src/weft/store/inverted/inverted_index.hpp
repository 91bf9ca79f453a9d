// InvertedIndex: which documents have a term, how often and where, in pages of a database.
//
//   InvertedIndex index(pages, Index::clear);
//   WEFT_TRY(index.add(builder));                 // the documents of a commit, as one run
//   WEFT_TRY_VALUE(auto more, index.merge(bytes));  // afterwards: a bounded piece of merging
//   WEFT_TRY_VALUE(auto found, index.find({.terms = {"apple"}}));
//
// Each commit writes its documents as a *run*: their terms in order, each with its documents, cut
// into pages (term_page.hpp). Eight runs of one level are merged into one of the next, so a posting
// is written again once a level, and a question reads a page or two of each of a few dozen runs at
// most. Positions are in pages of their own, which only phrases and prefixes read.
//
// A merge is done in pieces. Each piece moves postings, in the order of terms, from the beginnings
// of runs to the end of another one, and so every posting is in one run at any time, questions need
// not know of merges, and any piece can be the last one before a crash.
//
// All within a transaction of the caller. For one thread at a time. Every method may fail with
// corrupt, and then names the run and the page.
#pragma once

#include <span>

#include "weft/store/inverted/index_pages.hpp"
#include "weft/store/inverted/run_builder.hpp"

namespace weft::store::sql {

class InvertedIndex {
 public:
  // `pages` outlive it.
  InvertedIndex(IndexPages& pages, Index index) : pages_(pages), index_(index) {}

  // See Postings::find_postings. With a prefix, or several terms, a document's times are the
  // different positions at which it matches; of several terms, the last one may be a prefix. Both
  // need an index with positions: internal if it has none.
  Result<std::vector<Posting>> find(const Sought& sought);
  // See Postings::each_clear_term.
  Status each_term(std::string_view prefix, const Postings::VisitTerm& visit);

  // Writes what the builder has as a run and empties it. All its documents are after those that the
  // index has. Returns the bytes written.
  Result<std::uint64_t> add(RunBuilder& builder);

  // The level of a run with as many terms, each counted as often as it stands.
  static std::uint32_t level_of(std::uint64_t tokens);
  // Runs of one level that are merged into one of the next.
  static constexpr std::size_t kRunsOfOneLevel = 8;
  // Does a piece of the merging that is due, which writes about `bytes`. Returns whether more is
  // due. Pieces of kMergePerByte times what a commit added, after each commit, keep up; a piece of
  // kMergePiece takes some 50 ms.
  Result<bool> merge(std::uint64_t bytes);
  static constexpr std::uint64_t kMergePerByte = 8;
  static constexpr std::uint64_t kMergePiece = 2 << 20;

  // Removes documents: no page has their terms or positions afterwards. The runs that have them are
  // written anew, all others stay as they are. `documents` are in order.
  Status forget(std::span<const Document> documents);

 private:
  // Merges `parts` into a run until it has written about `bytes`; returns what it has written.
  Result<std::uint64_t> continue_merge(const IndexRun& into, const std::vector<IndexRun>& parts,
                                       std::uint64_t bytes);
  Result<bool> has_any_of(const IndexRun& run, std::span<const Document> documents);
  Status rewrite(const IndexRun& run, std::span<const Document> without);

  IndexPages& pages_;
  Index index_;
};

}  // namespace weft::store::sql
