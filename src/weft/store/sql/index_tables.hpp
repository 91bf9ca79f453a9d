// IndexTables: the runs and pages of inverted indexes (inverted/index_pages.hpp) in the tables
// index_runs and index_pages of any database. Its statements are the same for every database.
#pragma once

#include "weft/store/inverted/index_pages.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// Reads and writes in the transaction that the caller has begun.
class IndexTables final : public IndexPages {
 public:
  // `database` outlives it.
  explicit IndexTables(const PlainDatabase& database) : database_(database) {}

  // corrupt
  Result<std::vector<IndexRun>> runs(Index index) override;
  Result<std::int64_t> add_run(const IndexRun& run) override;
  Status remove_run(std::int64_t run) override;
  Status put_page(std::int64_t run, PageKind kind, std::string_view key,
                  std::string_view body) override;
  Status drop_pages(std::int64_t run, PageKind kind, std::string_view below) override;
  Status each_page(Index index, std::string_view from, std::string_view to,
                   const VisitPage& visit) override;
  Result<std::vector<IndexPage>> read_pages(std::int64_t run, PageKind kind, std::string_view from,
                                            std::size_t most) override;

 private:
  const PlainDatabase& database_;
};

}  // namespace weft::store::sql
