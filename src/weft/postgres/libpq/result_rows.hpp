// The rows of a result of libpq, in PostgreSQL's binary form.
#pragma once

#include "weft/postgres/libpq/session.hpp"
#include "weft/sql/rows.hpp"

namespace weft::postgres {

// The rows own the result. Integers of every size, booleans and whole numerics (sums) are integers;
// bytea, text and names are bytes. Reading a column as what it is not fails the rows at their next
// step, as internal.
sql::Rows to_rows(ResultPtr result);

}  // namespace weft::postgres
