// PostgreSQL's failures as our errors.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::postgres {

// A failure as the server reports it.
struct Report {
  std::string_view state;    // SQLSTATE, five characters
  std::string_view message;  // its first line
};

// The meaning of a report for us: why it failed and what to do. Never a value: values are
// transcript text, so the server's own words are left out where they may repeat one.
Error to_error(const Report& report);

// A failure to connect, as libpq words it with PQERRORS_VERBOSE. The text is the server's: shown
// cut and cleaned.
Error connect_error(std::string_view words);

// A connection that ended or did not answer.
Error lost_error(std::string_view why);

// `text` on one line, at most 200 bytes of valid UTF-8, without control characters.
std::string clean(std::string_view text);

}  // namespace weft::postgres
