// SQLite's failures as our errors.
#pragma once

#include <string_view>

#include "weft/base/result.hpp"

namespace weft::sqlite {

// What a result code of SQLite means to us. The message says why it failed, what to do and, where
// that is given, what was being done; never a value: values are transcript text. Never a conflict:
// trying the same again does not free a disk or a lock.
Error to_error(int code);
Error to_error(int code, std::string_view doing);

}  // namespace weft::sqlite
