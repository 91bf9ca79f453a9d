#include <memory>

#include "weft/postgres/database.hpp"
#include "weft/postgres/postgres_for_test.hpp"
#include "weft/sql/contract_for_test.hpp"

namespace weft::sql {
namespace {

OpenAgain make_schema() {
  const auto schema = std::make_shared<const postgres::TestSchema>();
  return [schema] { return postgres::open_database(schema->url()); };
}

INSTANTIATE_TEST_SUITE_P(Postgres, DatabaseContract,
                         testing::Values(Backend{.name = "postgres",
                                                 .make_database = make_schema}));

}  // namespace
}  // namespace weft::sql
