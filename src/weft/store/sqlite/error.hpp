// SQLite's failures as our errors.
#pragma once

#include <string_view>

#include "weft/base/result.hpp"

namespace weft::store::sqlite {

// What a result code of SQLite means to us. The message says what was being done and
// why it failed, never a value: values are transcript text.
Error to_error(int code, std::string_view doing);

}  // namespace weft::store::sqlite
