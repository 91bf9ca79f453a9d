// Rewriting the tables of a web, so that no deleted row is left in the server's files.
#pragma once

#include <string>

#include "weft/base/result.hpp"
#include "weft/postgres/url.hpp"
#include "weft/sql/database.hpp"

namespace weft::store::sql {

// Forgetting::scrub. Rows that were deleted lie in their tables until these are written anew, and
// in the server's log until it is switched and a checkpoint has passed; the latter takes rights
// that many roles lack, and is left out then. denied for a role that neither owns the tables nor is
// a keeper of the web.
[[nodiscard]] Result<bool> rewrite_tables(const postgres::Url& url);

// Makes the function by which keepers rewrite tables that they do not own: VACUUM takes ownership,
// and warns where it should fail. It runs with the rights of the tables' owner, looks nothing up by
// an unqualified name, and rewrites tables of this schema alone. In the caller's transaction.
[[nodiscard]] Status make_rewrite_function(const ::weft::sql::Database& database,
                                           const std::string& schema);

}  // namespace weft::store::sql
