// The three full-text indexes in FTS5: tables search_clear, search_metadata and search_content,
// contentless, with the numbers of documents as row ids (postings.hpp).
//
// Terms are made elsewhere (index_terms.hpp): our tokenizer passes them to FTS5 one by one.
// Ranking only needs the documents with a term, and how often they have it: a function of ours,
// called once a query, visits the rows of each term. So a match reads no row of a table, and the
// frequency of a term need not be counted first.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/index_terms.hpp"
#include "weft/store/postings/postings.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// Prepares a connection for the indexes. Call it once on each connection.
Status install_index(const Database& database);
// Creates the tables. Precondition: none exist.
Status create_index(const Database& database);
Status drop_index(const Database& database);

// Adds a document's packed terms, or removes them: exactly those that were added.
Status add_terms(const Database& database, Index index, Document document, std::string_view packed);
Status remove_terms(const Database& database, Index index, Document document,
                    std::string_view packed);
// Rewrites the index without removed terms: until then traces of them are left.
Status compact_index(const Database& database);

// The keys under which a sealed index has terms: several keyrings may have been used.
Status note_keys(const Database& database, const IndexKeys& keys);
// Notes the keys of added documents, each once.
class KeyNotes {
 public:
  explicit KeyNotes(const Database& database) : database_(database) {}
  Status add(const thought::Layers& layers, const ThoughtTerms& terms);

 private:
  const Database& database_;
  std::set<std::string> metadata_, content_;
};
Result<std::vector<std::string>> read_keys(const Database& database, Index index);

// See Postings::each_clear_term.
Status each_clear_term(const Database& database, std::string_view prefix,
                       const Postings::VisitTerm& visit);

// The documents that match, in their order.
Result<std::vector<Posting>> find_postings(const Database& database, Index index,
                                           const Sought& sought);

}  // namespace weft::store::sql
