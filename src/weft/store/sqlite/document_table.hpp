// DocumentTable: the pages of documents in SQLite, tables search_state and search_documents
// (docs/formats/store.md).
#pragma once

#include <span>
#include <vector>

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
  explicit DocumentTable(const Database& database) : database_(database) {}

  // corrupt
  Result<IndexState> index_state() override;
  Status each_document_page(std::int64_t first, const VisitPage& visit) override;

  Status set_index_state(const IndexState& state);
  // Appends rows; returns the number of the first. The last page is written again.
  Result<Document> append(std::span<const DocumentRow> rows);
  // Clears the documents of these thoughts, and returns them.
  Result<std::vector<NumberedRow>> clear(std::span<const Id> thoughts);

 private:
  const Database& database_;
};

}  // namespace weft::store::sql
