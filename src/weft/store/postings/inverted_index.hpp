// InvertedIndex: which documents have a term, how often and where, in pages of a database.
//
//   InvertedIndex index(pages, Index::clear);
//   WEFT_TRY(index.add(builder));                 // the documents of a commit, as one run
//   WEFT_TRY_VALUE(auto more, index.merge(budget));  // afterwards: a bounded piece of the upkeep
//   WEFT_TRY_VALUE(auto found, index.find({.terms = {"apple"}}));
//
// Each commit writes its documents as a *run*: their terms in order, each with its documents, cut
// into pages (term_page.hpp). Eight runs of one level are merged into one of the next, so a posting
// is written again once a level, and a question reads a page or two of each of a few dozen runs at
// most. Positions are in pages of their own, which only phrases and prefixes read.
//
// A merge is done in pieces, each of which can be the last one before a crash: what is merged so
// far is in a run that readers do not see, and the next piece continues after its last posting.
// When it is complete, that run takes the place of the merged ones in one step. Their pages are
// removed in pieces too.
//
// All within a transaction of the caller. For one thread at a time. Every method may fail with
// corrupt, and then names the run and the page.
#pragma once

#include <span>

#include "weft/store/postings/index_pages.hpp"
#include "weft/store/postings/run_builder.hpp"

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

  // Runs of one level that are merged into one of the next.
  static constexpr std::size_t kRunsOfOneLevel = 8;
  // Does a piece of the upkeep that is due, and writes or removes about `bytes` of pages. Returns
  // whether more is due. A commit that calls it with kMergePerByte times what it added keeps up.
  Result<bool> merge(std::uint64_t bytes);
  static constexpr std::uint64_t kMergePerByte = 12;

  // Removes documents: no page has their terms or positions afterwards. The runs that have them are
  // written anew, and merges under way that hold them begin again. `documents` are in order.
  Status forget(std::span<const Document> documents);

 private:
  Status publish(IndexRun run, std::uint32_t level);
  // Merges the runs that `into` covers, until it has written about `bytes`, which it returns.
  Result<std::uint64_t> continue_merge(const IndexRun& into, const std::vector<IndexRun>& runs,
                                       std::uint64_t bytes);
  Result<bool> has_any_of(const IndexRun& run, std::span<const Document> documents);
  Status rewrite(const IndexRun& run, std::span<const Document> without);
  Status drop(std::int64_t run);

  IndexPages& pages_;
  Index index_;
};

}  // namespace weft::store::sql
