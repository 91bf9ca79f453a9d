#include "weft/store/sqlite/sqlite_backend.hpp"

#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/sqlite/derived/sqlite_checks.hpp"
#include "weft/store/sqlite/edges/paged_edges.hpp"
#include "weft/store/sqlite/names/run_index.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_text.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"
#include "weft/store/writer.hpp"

namespace weft::store::sql {
namespace {

class SqliteBackend final : public Backend {
 public:
  explicit SqliteBackend(PlainDatabase connection) : connection_(std::move(connection)) {}

  const PlainDatabase& connection() const override { return connection_; }
  Edges& edges() override { return edges_; }
  NameIndex& name_index() override { return names_; }
  FullText& full_text() override { return full_text_; }
  Sums& sums() override { return sums_; }

  Result<bool> has_table(std::string_view name) override {
    Rows rows = connection_.query("SELECT 1 FROM sqlite_master WHERE name = ?", name);
    const bool there = rows.next();
    WEFT_TRY(rows.status());
    return there;
  }
  std::span<const Recomputed> checks() const override { return sqlite_checks(); }

  Status check_current() override { return sql::check_current(connection_); }
  bool can_write_after_reading() const override { return true; }
  Result<std::int64_t> count_foreign_commits() override {
    return sqlite::read_pragma(connection_, "data_version");
  }
  Status set_sync(Sync sync) override {
    return connection_.script(sync == Sync::now ? "PRAGMA synchronous = FULL"
                                                : "PRAGMA synchronous = NORMAL");
  }
  Status overwrite_deleted() override { return connection_.script("PRAGMA secure_delete = ON"); }

 private:
  const PlainDatabase connection_;
  PagedEdges edges_{sqlite::handle_of(connection_)};
  RunIndex names_{connection_};
  SqliteText full_text_{connection_};
  TableSums sums_{connection_};
};

}  // namespace

Database to_store(PlainDatabase connection) {
  return Database(std::make_unique<SqliteBackend>(std::move(connection)));
}

}  // namespace weft::store::sql
