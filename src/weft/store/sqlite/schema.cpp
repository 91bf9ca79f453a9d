// A store's file: whose it is, which version, and how it is opened.
#include "weft/store/sqlite/schema.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/store/sqlite/edges/edge_table.hpp"
#include "weft/store/sqlite/fts5/fts5.hpp"

namespace weft::store::sql {
namespace {

Error not_ours() { return {ErrorCode::corrupt, "this file is no store of weft"}; }
// A process that was killed while it created the store leaves an empty file, or an empty database.
Error still_empty() { return {ErrorCode::not_found, "the file is empty"}; }

Result<bool> is_empty(const PlainDatabase& database) {
  Rows rows = database.query("SELECT count(*) FROM sqlite_master");
  const bool empty = rows.next() && rows.integer(0) == 0;
  WEFT_TRY(rows.status());
  return empty;
}

// What a file says of itself.
struct Stamp {
  std::int64_t application = 0, version = 0;
  bool empty = false;
};

Result<Stamp> read_stamp(const PlainDatabase& database) {
  WEFT_TRY_VALUE(auto application, sqlite::read_pragma(database, "application_id"));
  WEFT_TRY_VALUE(auto version, sqlite::read_pragma(database, "user_version"));
  WEFT_TRY_VALUE(auto empty, is_empty(database));
  return Stamp{application, version, empty};
}

// The version of a file that may be opened by `known` steps; 0 for an empty one.
Result<std::int64_t> check_version(const PlainDatabase& database, std::size_t known) {
  Result<Stamp> stamp = read_stamp(database);
  // Three looks are not one: another process may have made the store between them, all at
  // once. Then a second look sees all of it.
  const bool half_seen = stamp && stamp->application == 0 && !(stamp->version == 0 && stamp->empty);
  if (half_seen) stamp = read_stamp(database);
  if (!stamp) return fail(std::move(stamp).error());
  if (stamp->application == 0 && stamp->version == 0 && stamp->empty) return 0;
  if (stamp->application != kApplicationId || stamp->version < 1) return fail(not_ours());
  if (stamp->version > static_cast<std::int64_t>(known)) {
    return fail(ErrorCode::invalid_input,
                "the store has version " + std::to_string(stamp->version) +
                    " and this weft knows " + std::to_string(known) +
                    " at most: it was made by a newer weft; use that one");
  }
  return stamp->version;
}

Status migrate_step(const PlainDatabase& database, const Migration& step, std::size_t to) {
  Status status = database.script(step.sql);
  if (status && step.then != nullptr) status = step.then(database);
  if (!status) {
    return fail(std::move(status).error().within("migrating to version " + std::to_string(to)));
  }
  return {};
}

// Without WAL, readers and writers would wait for each other. A file that another program copied or
// compacted may have lost it. Turning a file to WAL takes a lock that SQLite does not wait for.
Status use_wal(const PlainDatabase& database) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(sqlite::kBusyTimeoutMs);
  for (;;) {
    Status status = database.script("PRAGMA journal_mode = WAL");
    if (status || (sqlite3_errcode(sqlite::handle_of(database)) & 0xff) != SQLITE_BUSY ||
        std::chrono::steady_clock::now() > deadline) {
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Error cannot_write(const std::string& path, int number) {
  std::string message = "writing to the store " + path + ": " + std::strerror(number);
  if (number == EROFS || number == EACCES || number == EPERM) {
    message +=
        "; it can be read, but not written: make it writable, or choose another home with --home";
  }
  if (number == ENOSPC || number == EDQUOT) message += "; free some space, then try again";
  return {code_of_errno(number), std::move(message)};
}

// Makes the file if it is not there, for its owner's eyes only from the first byte on.
Status make_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) {
    ::close(file);
    return {};
  }
  if (errno == EISDIR) return {};  // check_file has a better message
  return fail(cannot_write(path, errno));
}

Status check_file(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    const ErrorCode code = errno == EACCES ? ErrorCode::denied : ErrorCode::not_found;
    return fail(code, "opening the store " + path + ": " + std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) return fail(not_ours().within("opening " + path));
  return {};
}

// Nothing temporary touches the disk: it could hold text. What is deleted is wiped where that
// costs no writing; forgetting wipes all of it.
// SQLite's cache is per connection; the writer's holds the hot ends of every index.
constexpr const char* kWriterSettings = R"sql(
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = FAST;
PRAGMA foreign_keys = OFF;
PRAGMA cache_size = -65536;
PRAGMA wal_autocheckpoint = 4096;
)sql";
constexpr const char* kReaderSettings = R"sql(
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -8192;
)sql";

// Whether nothing in the log is missing from the file. A log of no bytes belongs to a process that
// has the store open, unless the index of the log is gone too.
bool has_no_log(const std::string& path) {
  struct stat log{}, index{};
  if (::stat((path + "-wal").c_str(), &log) != 0) return true;
  return log.st_size == 0 && ::stat((path + "-shm").c_str(), &index) != 0;
}

bool is_writable(const std::string& path, int how) {
  return ::faccessat(AT_FDCWD, path.c_str(), how, AT_EACCESS) == 0;
}

// A connection that reads needs to write too: to the index of the log, which all share. Where it
// may not, SQLite uses the index that is there, or, without a log, the file alone.
sqlite::Mode mode_to_read(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (is_writable(path, W_OK) && is_writable(folder.empty() ? "." : folder, W_OK | X_OK)) {
    return sqlite::Mode::read_write;
  }
  return has_no_log(path) ? sqlite::Mode::immutable : sqlite::Mode::read_only;
}

// SQLite cannot read a log without its index, which it would have to make.
Error explained(Error error, const std::string& path, sqlite::Mode mode) {
  if (mode == sqlite::Mode::read_only && error.code == ErrorCode::denied) {
    error.message = "the store has a log, " + path +
                    "-wal, and cannot be read without writing beside it; copy both files to a "
                    "folder of your own, and read the copy with --store";
  }
  return error;
}

// Of a store that may be read as it is.
Status check_to_read(const PlainDatabase& database) {
  WEFT_TRY_VALUE(auto version, check_version(database, migrations().size()));
  if (version == 0) return fail(still_empty());
  if (version < kOldestReadVersion) {
    return fail(ErrorCode::invalid_input,
                "the store has version " + std::to_string(version) + " and this weft reads " +
                    std::to_string(kOldestReadVersion) +
                    " and later; bring it up to date with weft migrate (a copy of it, where it "
                    "cannot be written)");
  }
  return {};
}

Result<PlainDatabase> prepare_store(const std::string& path, Create create,
                                    sqlite::OnWait on_wait) {
  Result<PlainDatabase> database =
      sqlite::open_database(path, sqlite::Mode::read_write, std::move(on_wait));
  if (!database) return database;
  // Before anything is changed: a newer store and somebody else's file stay as they are.
  WEFT_TRY_VALUE(auto version, check_version(*database, migrations().size()));
  if (version == 0) {
    if (create == Create::no) return fail(still_empty());
    WEFT_TRY(database->script("PRAGMA page_size = 8192"));
  }
  WEFT_TRY(use_wal(*database));
  WEFT_TRY(database->script(kWriterSettings));
  WEFT_TRY(install_tables(*database));
  WEFT_TRY(migrate(*database, migrations()));
  return database;
}

}  // namespace

Status install_tables(const PlainDatabase& database) {
  sqlite3_db_config(sqlite::handle_of(database), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  Status status = install_fts5(database);
  if (status) status = install_edges(sqlite::handle_of(database));
  return status;
}

Status check_current(const PlainDatabase& database) {
  std::int64_t version = 0;
  Rows rows = database.query("PRAGMA user_version");
  if (rows.next()) version = rows.integer(0);
  WEFT_TRY(rows.status());
  const auto known = static_cast<std::int64_t>(migrations().size());
  if (version == known) return {};
  return fail(ErrorCode::invalid_input, "restart: the store was upgraded to version " +
                                            std::to_string(version) +
                                            ", and this process knows version " +
                                            std::to_string(known) + "; nothing was written");
}

Status migrate(const PlainDatabase& database, std::span<const Migration> steps) {
  WEFT_TRY_VALUE(auto seen, check_version(database, steps.size()));
  if (seen == static_cast<std::int64_t>(steps.size())) return {};

  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  // Again: another process may have been here first.
  WEFT_TRY_VALUE(auto version, check_version(database, steps.size()));
  for (auto at = static_cast<std::size_t>(version); at < steps.size(); ++at) {
    WEFT_TRY(migrate_step(database, steps[at], at + 1));
  }
  const std::string stamp = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                            "; PRAGMA user_version = " + std::to_string(steps.size());
  WEFT_TRY(database.script(stamp.c_str()));
  return transaction.commit();
}

Result<PlainDatabase> open_store_file(const std::string& path, Create create,
                                      sqlite::OnWait on_wait) {
  if (create == Create::yes) {
    WEFT_TRY(make_file(path));
  }
  WEFT_TRY(check_file(path));
  if (!is_writable(path, W_OK)) return fail(cannot_write(path, errno));
  Result<PlainDatabase> database = prepare_store(path, create, std::move(on_wait));
  if (!database) return fail(std::move(database).error().within("opening " + path));
  return database;
}

Result<PlainDatabase> open_reader(const std::string& path) {
  const sqlite::Mode mode = mode_to_read(path);
  Result<PlainDatabase> database = sqlite::open_database(path, mode);
  if (!database) return database;
  Status status = database->script(kReaderSettings);
  if (status) status = install_tables(*database);
  if (!status) return fail(explained(std::move(status).error(), path, mode));
  return database;
}

Result<PlainDatabase> open_store_file_to_read(const std::string& path) {
  WEFT_TRY(check_file(path));
  Result<PlainDatabase> database = open_reader(path);
  Status status;
  if (!database) status = fail(std::move(database).error());
  if (status) status = check_to_read(*database);
  if (status) status = database->script("PRAGMA query_only = ON");
  if (!status) {
    return fail(
        explained(std::move(status).error(), path, mode_to_read(path)).within("opening " + path));
  }
  return database;
}

Result<std::int64_t> read_version(const std::string& path) {
  WEFT_TRY(check_file(path));
  WEFT_TRY_VALUE(auto database, sqlite::open_database(path, mode_to_read(path)));
  return version_of(database);
}

Result<std::int64_t> version_of(const PlainDatabase& database) {
  WEFT_TRY_VALUE(auto version, check_version(database, migrations().size()));
  if (version == 0) return fail(still_empty());
  return version;
}

}  // namespace weft::store::sql
