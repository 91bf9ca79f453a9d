#include "weft/store/sqlite/sqlite_store.hpp"

#include "weft/base/inotify.hpp"
#include "weft/base/try.hpp"
#include "weft/store/sql/parts/row_store.hpp"
#include "weft/store/sqlite/mending.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/scrub.hpp"
#include "weft/store/sqlite/sqlite_backend.hpp"

namespace weft::store::sql {
namespace {

// Every commit writes to the write-ahead log. SQLite publishes it to readers after its last byte,
// which gives no further notice: see kChangeDelayMs.
class SqliteChanges final : public Changes {
 public:
  explicit SqliteChanges(const std::string& path)
      : works_(inotify_.add(path + "-wal", IN_MODIFY).has_value()) {}

  int descriptor() const override { return works_ ? inotify_.descriptor() : -1; }
  void clear() override { inotify_.read(); }

 private:
  Inotify inotify_;
  bool works_;
};

class SqliteStore final : public RowStore {
 public:
  SqliteStore(const std::string& path, PlainDatabase database)
      : RowStore(
            path, to_store(std::move(database)),
            [path]() -> Result<Database> {
              WEFT_TRY_VALUE(auto reader, open_reader(path));
              return to_store(std::move(reader));
            },
            [path] { return sql::scrub(path); }),
        path_(path),
        mending_(database_connections(), path) {}

  Mending& mending() override { return mending_; }
  std::unique_ptr<Changes> changes() const override {
    return std::make_unique<SqliteChanges>(path_);
  }

 private:
  const std::string path_;
  SqliteMending mending_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, Create create,
                                                 OnWait on_wait) {
  WEFT_TRY_VALUE(auto database, open_store_file(path, create, std::move(on_wait)));
  return std::make_unique<SqliteStore>(path, std::move(database));
}

Result<std::unique_ptr<Store>> open_sqlite_store_to_read(const std::string& path) {
  WEFT_TRY_VALUE(auto database, open_store_file_to_read(path));
  return std::make_unique<SqliteStore>(path, std::move(database));
}

}  // namespace weft::store::sql
