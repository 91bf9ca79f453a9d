// DocumentTable: what is known of documents beside their terms, tables search_state,
// search_documents and search_keys (docs/formats/store.md).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/store/index_terms.hpp"
#include "weft/store/pages/document_page.hpp"
#include "weft/store/postings/postings.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// A document and what it was before it was cleared.
struct NumberedRow {
  Document document;
  DocumentRow row;
};

// Reads and writes in the transaction that the caller has begun.
class DocumentTable final : public DocumentPages {
 public:
  // `database` outlives it.
  explicit DocumentTable(const PlainDatabase& database) : database_(database) {}

  // corrupt
  Result<IndexState> index_state() override;
  Status each_document_page(std::int64_t first, const VisitPage& visit) override;

  Status set_index_state(const IndexState& state);
  // Appends rows; returns the number of the first. The last page is written again.
  Result<Document> append(std::span<const DocumentRow> rows);
  // Clears the documents of these thoughts, and returns them.
  Result<std::vector<NumberedRow>> clear(std::span<const Id> thoughts);
  // Removes all documents and keys.
  Status clear_all();

  // The keys under which a sealed index has terms: several keyrings may have been used.
  Status note_keys(const IndexKeys& keys);
  Result<std::vector<std::string>> read_keys(Index index);

 private:
  const PlainDatabase& database_;
};

}  // namespace weft::store::sql
