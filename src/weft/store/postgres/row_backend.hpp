// RowBackend: a connection to tables.hpp, with the parts that need nothing but tables.
#pragma once

#include <memory>

#include "weft/store/postgres/no_sums.hpp"
#include "weft/store/postgres/row_edges.hpp"
#include "weft/store/postgres/tree_index.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/derived/all_checks.hpp"
#include "weft/store/sql/full_text.hpp"
#include "weft/store/writer.hpp"

namespace weft::store::sql {

// A database adds the full text, and how one writer waits for another.
class RowBackend : public Backend {
 public:
  explicit RowBackend(PlainDatabase connection) : connection_(std::move(connection)) {}

  const PlainDatabase& connection() const override { return connection_; }
  Edges& edges() override { return edges_; }
  NameIndex& name_index() override { return names_; }
  Sums& sums() override { return sums_; }

  // A store of this kind has all its tables.
  Result<bool> has_table(std::string_view) override { return true; }
  std::span<const Recomputed> checks() const override { return {}; }

  bool can_write_after_reading() const override { return false; }
  // Others may always have written: nothing tells.
  Result<std::int64_t> count_foreign_commits() override { return ++writes_; }
  // Every commit is on the disk.
  Status set_sync(Sync) override { return {}; }
  // Where deleted rows lie is the server's affair: scrubbing rewrites the tables.
  Status overwrite_deleted() override { return {}; }

 private:
  const PlainDatabase connection_;
  RowEdges edges_{connection_};
  TreeIndex names_{connection_};
  NoSums sums_;
  std::int64_t writes_ = 0;
};

}  // namespace weft::store::sql
