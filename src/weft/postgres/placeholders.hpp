// Parameters as SQLite writes them, in the way of PostgreSQL: `?` and `?1` become `$1`.
#pragma once

#include <string>
#include <string_view>

namespace weft::postgres {

// A `?` without a number is the one after the largest so far, as in SQLite. Strings, quoted names
// and comments are left as they are. `sql` is part of the program: it has no dollar-quoted strings.
std::string number_placeholders(std::string_view sql);

}  // namespace weft::postgres
