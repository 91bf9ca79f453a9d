#include "weft/sqlite/error.hpp"

#include <sqlite3.h>

#include <string>

#include "weft/sqlite/database.hpp"

namespace weft::sqlite {
namespace {

ErrorCode code_for(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
    case SQLITE_PROTOCOL: return ErrorCode::unavailable;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN: return ErrorCode::denied;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ErrorCode::corrupt;
    case SQLITE_TOOBIG: return ErrorCode::invalid_input;
    default:
      return code == SQLITE_CONSTRAINT_TRIGGER ? ErrorCode::invalid_input : ErrorCode::internal;
  }
}

static_assert(kBusyTimeoutMs == 30'000, "reason_for says so");
constexpr const char* kFull =
    "the disk is full; nothing was changed; free some space, then try again";

std::string reason_for(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process is writing to the store, and did not finish within 30 seconds; try "
             "again when it is done";
    case SQLITE_FULL: return kFull;
    case SQLITE_IOERR:
      // What readers and writers share (-shm) cannot grow.
      if (code == SQLITE_IOERR_SHMSIZE) return kFull;
      return "reading or writing failed; check the disk, its permissions and your quota, then try "
             "again";
    case SQLITE_NOMEM: return "there is not enough memory; free some, then try again";
    case SQLITE_READONLY: return "the store may only be read; check the file's permissions";
    case SQLITE_CANTOPEN:
      return "the file cannot be opened; check the permissions of it and its directory";
    case SQLITE_CORRUPT: return "the store file is damaged";
    case SQLITE_NOTADB: return "the file is no store";
    case SQLITE_TOOBIG: return "too large for one row";
    case SQLITE_CONSTRAINT:
      // Triggers are how a newer weft stops older ones that still run.
      if (code == SQLITE_CONSTRAINT_TRIGGER) {
        return "restart: the store was upgraded by a newer weft; nothing was written";
      }
      [[fallthrough]];
    default: return std::string("SQLite: ") + sqlite3_errstr(code);
  }
}

}  // namespace

Error to_error(int code) { return Error{code_for(code), reason_for(code)}; }

Error to_error(int code, std::string_view doing) { return to_error(code).within(doing); }

}  // namespace weft::sqlite
