// Fts5: the indexes of stores of version 6 to 16, in FTS5: tables search_clear, search_metadata and
// search_content, contentless, with the numbers of documents as row ids (postings.hpp). They are
// read until carry_over.hpp has moved them into runs of pages, and in stores that are opened only
// to be read; nothing is added to them.
//
// Terms were made elsewhere (index_terms.hpp) and passed to FTS5 by a tokenizer of ours. A function
// of ours, called once a query, visits all rows of a term.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/postings/postings.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// Prepares a connection for the indexes. Call it once on each connection.
Status install_fts5(const PlainDatabase& database);
// Creates the tables, as version 6 had them. Precondition: none exist.
Status create_fts5(const PlainDatabase& database);
// Removes them; not an error if there are none.
Status drop_fts5(const PlainDatabase& database);

class Fts5 {
 public:
  // `database` outlives it.
  explicit Fts5(const PlainDatabase& database) : database_(database) {}

  // The documents that match, in their order.
  Result<std::vector<Posting>> find(Index index, const Sought& sought);
  // See Postings::each_clear_term.
  Status each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit);
  // FTS5's own check of an index. corrupt
  Status check(Index index);

  // A posting with its positions as runs have them (inverted/term_page.hpp); the views are good
  // until the call returns. False: no more is wanted.
  using Visit = std::function<Result<bool>(std::string_view term, const Posting& posting,
                                           std::string_view positions)>;
  // The postings of one term in documents after `after`, in order.
  Status each_posting(Index index, const std::string& term, Document after, const Visit& visit);
  // Those of all terms after `term`, in the order of terms and documents.
  Status each_posting_after(Index index, const std::string& term, const Visit& visit);

 private:
  const PlainDatabase& database_;
};

}  // namespace weft::store::sql
