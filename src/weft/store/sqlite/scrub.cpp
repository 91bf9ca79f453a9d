// `secure_delete` wipes rows where they lay, but when SQLite balances a tree it may leave a
// copy of a cell in the unused middle of a page, and the log (-wal) holds pages as they were.
// So after a forget the file is rewritten (VACUUM) and the log is emptied.
//
// VACUUM in place, and not VACUUM INTO with a rename: a process that has the store open would
// continue with the old file. In WAL mode VACUUM is a write like any other: readers keep what they
// see. It builds the new file aside first. In memory that would cost as much as the store is large;
// by default it would lie in /tmp, with every conversation in the clear. So it lies in the store's
// own directory, for a moment and without a name: SQLite unlinks it as soon as it is open.
#include "weft/store/sqlite/scrub.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <mutex>

#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft::store::sql {
namespace {

// SQLite has one such directory for the whole process. All other connections of ours keep
// what is temporary in memory, and never ask for it.
class TemporaryFilesIn {
 public:
  explicit TemporaryFilesIn(const std::string& directory)
      : lock_(mutex_), before_(sqlite3_temp_directory) {
    sqlite3_temp_directory = sqlite3_mprintf("%s", directory.c_str());
  }
  TemporaryFilesIn(const TemporaryFilesIn&) = delete;
  TemporaryFilesIn& operator=(const TemporaryFilesIn&) = delete;
  ~TemporaryFilesIn() {
    sqlite3_free(sqlite3_temp_directory);
    sqlite3_temp_directory = before_;
  }

 private:
  static inline std::mutex mutex_;
  std::lock_guard<std::mutex> lock_;
  char* before_;
};

Result<bool> is_due(const PlainDatabase& database) {
  Rows rows = database.query("SELECT EXISTS (SELECT 1 FROM wipes)");
  const bool due = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return due;
}

// Moves the log into the file and cuts it to nothing. False while somebody reads from it:
// that takes milliseconds; longer reads are not waited for.
Result<bool> empty_log(const PlainDatabase& database) {
  WEFT_TRY(database.script("PRAGMA busy_timeout = 2000"));
  Rows rows = database.query("PRAGMA wal_checkpoint(TRUNCATE)");
  const bool done = rows.next() && rows.integer(0) == 0;
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  return done;
}

Status remove_wipes(const PlainDatabase& database) {
  TableSums sums(database);
  sums.follow();
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY(check_current(database));
  WEFT_TRY(database.run("DELETE FROM wipes"));
  WEFT_TRY(sums.flush());
  return transaction.commit();
}

}  // namespace

Result<bool> scrub(const std::string& path) {
  WEFT_TRY_VALUE(auto database, sqlite::open_database(path, sqlite::Mode::read_write));
  WEFT_TRY(install_tables(database));
  WEFT_TRY_VALUE(auto due, is_due(database));
  if (!due) return true;
  const std::string directory = std::filesystem::absolute(path).parent_path().string();
  Status status = database.script(
      "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA temp_store = FILE; "
      "PRAGMA wal_autocheckpoint = 0");
  if (status) {
    const TemporaryFilesIn here(directory);
    status = database.script("VACUUM");
  }
  if (!status) return fail(std::move(status).error().within("rewriting the store"));
  Result<bool> emptied = empty_log(database);
  if (!emptied) return fail(std::move(emptied).error().within("emptying the store's log"));
  if (!*emptied) return false;
  // Not before: a wipe that is cut off is due again.
  if (status = remove_wipes(database); !status) return fail(std::move(status).error());
  return true;
}

}  // namespace weft::store::sql
