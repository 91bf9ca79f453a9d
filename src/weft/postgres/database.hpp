// Opens databases on PostgreSQL: sql::Database on a connection to a server.
//
// Statements for writing are sent ahead in pipeline mode: within a transaction, `run` does not
// wait, and the next query or the commit reports its failure. A deferred transaction is REPEATABLE
// READ READ ONLY, an immediate one READ COMMITTED. All rows of a query are in memory before the
// first is read: ask for ranges of large tables.
//
// A connection that ended between two transactions is opened again, once for each. One that ends
// within a transaction fails it as unavailable; if that happens while it commits, nobody knows
// whether it was committed.
#pragma once

#include <chrono>

#include "weft/base/result.hpp"
#include "weft/postgres/url.hpp"
#include "weft/sql/database.hpp"

namespace weft::postgres {

struct Limits {
  std::chrono::milliseconds connect{10'000};    // for each host
  std::chrono::milliseconds statement{60'000};  // the server ends a statement after it
  std::chrono::milliseconds lock{30'000};       // for what another writer has locked
  // The server ends a transaction that writes if nothing is sent within it for so long: its process
  // is frozen or its machine asleep, and others wait for what it has locked.
  std::chrono::milliseconds idle{300'000};
  // The connection is closed if nothing comes from the server for so long while it is asked.
  std::chrono::milliseconds silence{65'000};
};

// Whether this build has libpq.
bool is_built();

// The schema of the URL is the only one that names are looked up in; it need not exist.
// denied, not_found (no such database), unavailable (nobody answers, or not in time). In a build
// without libpq: unavailable.
Result<sql::Database> open_database(const Url& url, const Limits& limits = {});

}  // namespace weft::postgres
