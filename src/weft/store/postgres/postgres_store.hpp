// A store on PostgreSQL: one web, in a schema of its own (tables.hpp).
//
// Not every command knows it yet: open.hpp does not open it.
#pragma once

#include <memory>

#include "weft/postgres/url.hpp"
#include "weft/store/open.hpp"
#include "weft/store/store.hpp"

namespace weft::store::sql {

// The store in the schema of `url`; Create::yes makes schema and tables. not_found without them,
// invalid_input if a newer weft made them. Other failures as of postgres::open_database.
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres_store(const postgres::Url& url,
                                                                 Create create);

}  // namespace weft::store::sql
