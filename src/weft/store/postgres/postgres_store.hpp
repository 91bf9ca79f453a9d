// A store on PostgreSQL: one web, in a schema of its own (tables.hpp).
#pragma once

#include <memory>

#include "weft/postgres/database.hpp"
#include "weft/postgres/url.hpp"
#include "weft/store/open.hpp"
#include "weft/store/postgres/tables.hpp"
#include "weft/store/store.hpp"

namespace weft::store::sql {

// The store in the schema of `url`; Create::yes makes schema and tables. not_found without them,
// invalid_input if a newer weft made them. Other failures as of postgres::open_database.
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres_store(
    const postgres::Url& url, Create create, const postgres::Limits& limits = {});

// One connection to that store, with its parts. Fails as open_postgres_store() does with
// Create::no.
[[nodiscard]] Result<Database> open_postgres_database(const postgres::Url& url);

// The id of the web in the schema of `url`. Fails as open_postgres_store() does with Create::no.
[[nodiscard]] Result<WebId> read_web_id(const postgres::Url& url);

}  // namespace weft::store::sql
