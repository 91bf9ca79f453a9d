// A build without libpq.
#include "weft/postgres/database.hpp"

#include "weft/postgres/listener.hpp"

namespace weft::postgres {
namespace {

std::unexpected<Error> refuse() {
  return fail(ErrorCode::unavailable,
              "this weft was built without PostgreSQL; build it with libpq (WEFT_POSTGRES=ON)");
}

}  // namespace

bool is_built() { return false; }

Result<sql::Database> open_database(const Url&, const Limits&) { return refuse(); }

Result<std::unique_ptr<Listener>> open_listener(const Url&, std::string_view, const Limits&) {
  return refuse();
}

}  // namespace weft::postgres
