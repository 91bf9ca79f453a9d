#include <memory>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/postgres/database.hpp"
#include "weft/postgres/libpq/connection.hpp"

namespace weft::postgres {

bool is_built() { return true; }

Result<sql::Database> open_database(const Url& url, const Limits& limits) {
  auto connection = std::make_unique<Connection>(url, limits);
  WEFT_TRY(connection->open());
  return sql::Database(std::move(connection));
}

}  // namespace weft::postgres
