// Fts5: the three full-text indexes in FTS5: tables search_clear, search_metadata and
// search_content, contentless, with the numbers of documents as row ids (postings.hpp).
//
// Terms are made elsewhere (index_terms.hpp): our tokenizer passes them to FTS5 one by one.
// Ranking only needs the documents with a term, and how often they have it: a function of ours,
// called once a query, visits the rows of each term. So a match reads no row of a table, and the
// frequency of a term need not be counted first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/full_text.hpp"

namespace weft::store::sql {

// Prepares a connection for the indexes. Call it once on each connection.
Status install_index(const PlainDatabase& database);
// Creates the tables. Precondition: none exist.
Status create_index(const PlainDatabase& database);

class Fts5 final : public FullText {
 public:
  // `database` outlives it.
  explicit Fts5(const PlainDatabase& database) : database_(database) {}

  Result<std::vector<Posting>> find(Index index, const Sought& sought) override;
  Status each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) override;
  Status add(Index index, Document document, std::string_view packed) override;
  Status flush() override { return {}; }  // FTS5 stores them before each commit
  Status remove(Index index, Document document, std::string_view packed) override;
  Status compact() override;
  Status clear() override;

 private:
  const PlainDatabase& database_;
};

}  // namespace weft::store::sql
