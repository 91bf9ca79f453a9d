#include "weft/sqlite/foreign_database.hpp"

#include <sqlite3.h>

#include <utility>

#include "weft/sqlite/checked_open.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/sqlite/error.hpp"

namespace weft::sqlite {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kBytesPerMillisecond = 1'000;
// Instructions between two looks at the clock. One instruction may build a value of the greatest
// length.
constexpr int kInstructions = 200;

}  // namespace

void ForeignDatabase::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<ForeignDatabase> ForeignDatabase::open(const CheckedFile& file,
                                              std::chrono::milliseconds least_time) {
  prepare_library();
  ForeignDatabase database;
  const CheckedOpen checked(file.path, file.device, file.inode);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(
      file.path.c_str(), &handle,
      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  database.handle_.reset(handle);
  // SQLite may also use a descriptor that it has open for the file of that name.
  if (!checked.has_matched()) {
    return fail(ErrorCode::denied,
                "the database was replaced, or cannot be opened; ingest it again");
  }
  if (code != SQLITE_OK) return fail(to_error(code));
  database.budget_->time_left =
      least_time + std::chrono::milliseconds(file.size / kBytesPerMillisecond);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  // It must not make SQLite run what it holds.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMostValueBytes);
  sqlite3_progress_handler(handle, kInstructions, check_budget, database.budget_.get());
  return database;
}

ForeignDatabase::Step::Step(Budget& budget) : budget_(budget), limit_(budget.memory) {
  budget_.began = Clock::now();
}

ForeignDatabase::Step::~Step() {
  budget_.time_left -= Clock::now() - *budget_.began;
  budget_.began.reset();
}

int ForeignDatabase::check_budget(void* budget) {
  Budget& it = *static_cast<Budget*>(budget);
  if (it.began && Clock::now() - *it.began > it.time_left) it.is_late = true;
  return it.is_late ? 1 : 0;
}

bool ForeignDatabase::next(Rows& rows) const {
  const Step step(*budget_);
  return rows.next();
}

Status ForeignDatabase::status(const Rows& rows) const {
  if (budget_->is_late) {
    return fail(ErrorCode::invalid_input, "reading it takes too long for its size; is it damaged?");
  }
  Status status = rows.status();
  if (!status && budget_->memory.is_exceeded) {
    return fail(ErrorCode::invalid_input,
                "reading it takes more memory than conversations need; is it damaged?");
  }
  return status;
}

}  // namespace weft::sqlite
