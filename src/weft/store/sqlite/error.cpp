#include "weft/store/sqlite/error.hpp"

#include <sqlite3.h>

#include <string>

namespace weft::store::sqlite {
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
    default: return ErrorCode::internal;
  }
}

std::string_view reason_for(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "another writer holds the store; try again";
    case SQLITE_FULL: return "the disk is full; nothing was changed";
    case SQLITE_IOERR: return "the disk failed to read or write";
    case SQLITE_READONLY: return "the store may only be read; check the file's permissions";
    case SQLITE_CANTOPEN:
      return "the file cannot be opened; check the permissions of it and its directory";
    case SQLITE_CORRUPT: return "the store file is damaged";
    case SQLITE_NOTADB: return "the file is no store";
    case SQLITE_TOOBIG: return "too large for one row";
    default: return sqlite3_errstr(code);
  }
}

}  // namespace

Error to_error(int code, std::string_view doing) {
  return Error{code_for(code), std::string(doing) + ": " + std::string(reason_for(code))};
}

}  // namespace weft::store::sqlite
