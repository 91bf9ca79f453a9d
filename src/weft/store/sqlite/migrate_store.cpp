#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/migrate.hpp"
#include "weft/store/postgres/migrating.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::store {

Result<MigrationReport> migrate_store(const StoreUrl& url, OnWait on_wait) {
  if (url.server()) {
    Result<MigrationReport> report = sql::migrate_web(*url.server());
    if (!report) return fail(std::move(report).error().within("migrating " + url.shown()));
    return report;
  }
  const std::string path = url.shown();
  Result<std::int64_t> from = sql::read_version(path);
  if (!from) return fail(std::move(from).error().within("opening " + path));
  WEFT_TRY_VALUE(auto database, sql::open_store_file(path, Create::no, std::move(on_wait)));
  WEFT_TRY_VALUE(auto to, sqlite::read_pragma(database, "user_version"));
  return MigrationReport{.from = *from, .to = to};
}

}  // namespace weft::store
