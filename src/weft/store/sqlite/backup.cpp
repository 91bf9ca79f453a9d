// SQLite's backup API copies page by page. A read transaction on the source pins what it copies;
// without one, every commit of another process would make it begin again.
#include "weft/store/backup.hpp"
#include "weft/sqlite/database.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <memory>

#include "weft/base/try.hpp"
#include "weft/sqlite/error.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::store {
namespace {

constexpr int kPagesAtOnce = 1024;  // 8 MiB

struct Finish {
  void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
};

Status copy_pages(const sql::PlainDatabase& from, const sql::PlainDatabase& to,
                  const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  std::unique_ptr<sqlite3_backup, Finish> backup(
      sqlite3_backup_init(sqlite::handle_of(to), "main", sqlite::handle_of(from), "main"));
  if (!backup) return fail(sqlite::to_error(sqlite3_extended_errcode(sqlite::handle_of(to))));
  int code = SQLITE_OK;
  while (code == SQLITE_OK) {
    code = sqlite3_backup_step(backup.get(), kPagesAtOnce);
    const auto all = static_cast<std::uint64_t>(sqlite3_backup_pagecount(backup.get()));
    const auto left = static_cast<std::uint64_t>(sqlite3_backup_remaining(backup.get()));
    if (progress) progress(all - left, all);
  }
  if (code != SQLITE_DONE) return fail(sqlite::to_error(code));
  code = sqlite3_backup_finish(backup.release());
  if (code != SQLITE_OK) return fail(sqlite::to_error(code));
  return {};
}

}  // namespace

Status check_is_file(const StoreUrl& store) {
  if (!store.server()) return {};
  return fail(ErrorCode::invalid_input,
              "a store on a server is backed up there: pg_dump --schema=" +
                  store.server()->schema() + " " + store.server()->database());
}

Status copy_store(const StoreUrl& from, const std::string& to,
                  const std::function<void(std::uint64_t done, std::uint64_t all)>& progress) {
  WEFT_TRY(check_is_file(from));
  WEFT_TRY_VALUE(auto source, sql::open_store_file_to_read(from.shown()));
  WEFT_TRY_VALUE(auto copy, sqlite::open_database(to, sqlite::Mode::read_write));
  // Nobody else sees the copy before it is complete, and a copy that was cut off is thrown away.
  WEFT_TRY(copy.script("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"));
  WEFT_TRY_VALUE(auto pinned, sql::Transaction::begin(source, sql::Transaction::Kind::deferred));
  WEFT_TRY(
      sqlite::read_pragma(source, "schema_version"));  // the transaction begins with the first read
  Status copied = copy_pages(source, copy, progress);
  if (!copied) return fail(std::move(copied).error().within("copying the store to " + to));
  return {};
}

Result<std::int64_t> check_store_file(const std::string& path) {
  WEFT_TRY_VALUE(auto database, sqlite::open_database(path, sqlite::Mode::immutable));
  WEFT_TRY_VALUE(auto version, sql::version_of(database));
  sql::Rows rows = database.query("PRAGMA integrity_check(1)");
  const std::string found = rows.next() ? std::string(rows.bytes(0)) : std::string();
  WEFT_TRY(rows.status());
  if (found != "ok") return fail(ErrorCode::corrupt, path + ": SQLite's integrity check: " + found);
  return version;
}

Result<StoreState> read_store_file(const std::string& path) {
  StoreState state;
  {
    WEFT_TRY_VALUE(auto store, open_store_to_read(path));
    WEFT_TRY_VALUE(state.log, store->audit().checkpoint_log());
    WEFT_TRY_VALUE(auto rows, store->conversations({}));
    state.conversations = rows.size();
  }
  // Nothing was written, so neither the log nor its index holds anything.
  for (const char* suffix : {"-wal", "-shm"}) ::unlink((path + suffix).c_str());
  return state;
}

}  // namespace weft::store
