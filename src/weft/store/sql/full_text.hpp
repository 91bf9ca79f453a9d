// FullText: the terms of documents in three indexes, clear, metadata and content (index_terms.hpp).
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/store/postings/postings.hpp"

namespace weft::store::sql {

// Implementations: runs of pages (run_text.hpp), and the same in a SQLite store, where FTS5 answers
// until an upgrade is complete (store/sqlite/sqlite_text.hpp). One connection to the database. For
// one thread at a time.
class FullText {
 public:
  virtual ~FullText() = default;

  // The documents that match, in their order.
  virtual Result<std::vector<Posting>> find(Index index, const Sought& sought) = 0;
  // See Postings::each_clear_term.
  virtual Status each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) = 0;
  // Reads all of an index. Sets `having[d]` for each document d that has terms. Returns the last
  // document of which it cannot say that: 0 as a rule. corrupt if anything in it is not what was
  // written, or if `having` is too short for its documents.
  virtual Result<Document> check(Index index, std::vector<bool>& having) = 0;

  // --- in the writer's transaction -------------------------------------------------------
  // Adds a document's packed terms. Documents come in order.
  virtual Status add(Index index, Document document, std::string_view packed) = 0;
  // Stores what was added. Call it after the last add() of a write.
  virtual Status flush() = 0;
  // Drops what was not stored: the write that began it failed.
  virtual void discard() = 0;
  // Removes a document from an index; not an error if it has no terms there.
  virtual Status remove(Index index, Document document) = 0;
  // Rewrites the indexes without removed terms: until then they are still there.
  virtual Status compact() = 0;
  // Removes all documents.
  virtual Status clear() = 0;

  // --- afterwards, in transactions of their own --------------------------------------------
  // The bytes that merge() should write now, to keep up with what flush() stored since the last
  // call. 0 if nothing is due.
  virtual std::uint64_t take_unmerged() { return 0; }
  // Does a piece of the merging that is due, which writes about `bytes`. Returns whether more is
  // due.
  virtual Result<bool> merge(std::uint64_t /*bytes*/) { return false; }
  // Does a piece of what an upgrade of the store left to do, until `is_over` returns true, and at
  // least a little. Returns whether more is left.
  virtual Result<bool> upgrade(const std::function<bool()>& /*is_over*/) { return false; }
};

}  // namespace weft::store::sql
