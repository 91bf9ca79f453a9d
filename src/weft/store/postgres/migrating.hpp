// Migration of a web on a server, as store/migrate.hpp promises it.
#pragma once

#include "weft/postgres/url.hpp"
#include "weft/store/migrate.hpp"

namespace weft::store::sql {

// One transaction a step, so that a step that fails leaves the version before it; and the rights of
// the roles of the web, to what is new. denied if the tables belong to another role.
[[nodiscard]] Result<MigrationReport> migrate_web(const postgres::Url& url);

}  // namespace weft::store::sql
