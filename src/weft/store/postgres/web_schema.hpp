// The schema of a web on a server: found, or made with its tables.
#pragma once

#include <string>
#include <string_view>

#include "weft/postgres/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/postgres/tables.hpp"

namespace weft::store::sql {

struct OpenedTables {
  PlainDatabase database;
  bool is_new = false;  // they were made just now
};

// Connects to the web in the schema of `url`, which has tables that this weft reads; Create::yes
// makes schema and tables. Two that do it at once find the same web. not_found without them,
// invalid_input if a newer weft made them. Other failures as of postgres::open_database.
[[nodiscard]] Result<OpenedTables> open_tables(const postgres::Url& url, Create create,
                                               const postgres::Limits& limits = {});

// The id of the web whose tables a connection has.
[[nodiscard]] Result<WebId> id_of_web(const PlainDatabase& database);

// A name and a text as they stand in SQL: "weft" and 'weft'.
std::string quoted_name(std::string_view name);
std::string quoted_text(std::string_view text);

}  // namespace weft::store::sql
