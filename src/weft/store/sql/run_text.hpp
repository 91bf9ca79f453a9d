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
  // When runs are merged: flush() does it, or merge() after the commit.
  enum class Merging { in_writes, afterwards };

  // `database` outlives it.
  explicit RunText(const PlainDatabase& database, Merging merging = Merging::in_writes)
      : database_(database), merging_(merging), pages_(database) {}

  Result<std::vector<Posting>> find(Index index, const Sought& sought) override;
  Status each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) override;
  Result<Document> check(Index index, std::vector<bool>& having) override;
  Status add(Index index, Document document, std::string_view packed) override;
  Status flush() override;
  void discard() override;
  Status remove(Index index, Document document) override;
  Status compact() override;
  Status clear() override;
  std::uint64_t take_unmerged() override;
  Result<bool> merge(std::uint64_t bytes) override;

 private:
  // Documents of one index that were added or removed in this transaction.
  struct Changes {
    RunBuilder added;
    std::vector<Document> removed{};
  };
  Changes& of(Index index) { return changes_[static_cast<std::size_t>(index)]; }
  Status write(Index index);

  const PlainDatabase& database_;
  const Merging merging_;
  IndexTables pages_;
  std::array<Changes, 3> changes_{Changes{RunBuilder(Index::clear)},
                                  Changes{RunBuilder(Index::metadata)},
                                  Changes{RunBuilder(Index::content)}};
  std::uint64_t unmerged_ = 0;  // see take_unmerged()
};

}  // namespace weft::store::sql
