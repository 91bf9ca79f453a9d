// FullText: the terms of documents in three indexes, clear, metadata and content (index_terms.hpp).
#pragma once

#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/store/postings/postings.hpp"

namespace weft::store::sql {

// Implementations: FTS5 in SQLite (store/sqlite/fulltext_index.hpp). One connection to the
// database. For one thread at a time.
class FullText {
 public:
  virtual ~FullText() = default;

  // The documents that match, in their order.
  virtual Result<std::vector<Posting>> find(Index index, const Sought& sought) = 0;
  // See Postings::each_clear_term.
  virtual Status each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) = 0;

  // --- in the writer's transaction -------------------------------------------------------
  // Adds a document's packed terms. Documents come in order.
  virtual Status add(Index index, Document document, std::string_view packed) = 0;
  // Stores what was added. Call it after the last add() of a write.
  virtual Status flush() = 0;
  // Removes a document's packed terms: exactly those that were added.
  virtual Status remove(Index index, Document document, std::string_view packed) = 0;
  // Rewrites the indexes without removed terms: until then traces of them are left.
  virtual Status compact() = 0;
  // Removes all documents.
  virtual Status clear() = 0;
};

}  // namespace weft::store::sql
