// RunText: full text in inverted indexes of our own (inverted/inverted_index.hpp).
#pragma once

#include <array>
#include <vector>

#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/sql/full_text.hpp"
#include "weft/store/sql/index_tables.hpp"

namespace weft::store::sql {

class RunText final : public FullText {
 public:
  // `database` outlives it.
  explicit RunText(const PlainDatabase& database) : database_(database), pages_(database) {}

  Result<std::vector<Posting>> find(Index index, const Sought& sought) override;
  Status each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) override;
  Status add(Index index, Document document, std::string_view packed) override;
  Status flush() override;
  void discard() override;
  Status remove(Index index, Document document, std::string_view packed) override;
  Status compact() override;
  Status clear() override;

 private:
  // Documents of one index that were added or removed in this transaction.
  struct Changes {
    RunBuilder added;
    std::vector<Document> removed{};
  };
  Changes& of(Index index) { return changes_[static_cast<std::size_t>(index)]; }
  Status write(Index index);

  const PlainDatabase& database_;
  IndexTables pages_;
  std::array<Changes, 3> changes_{Changes{RunBuilder(Index::clear)},
                                  Changes{RunBuilder(Index::metadata)},
                                  Changes{RunBuilder(Index::content)}};
};

}  // namespace weft::store::sql
