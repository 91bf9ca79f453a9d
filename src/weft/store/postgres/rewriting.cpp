#include "weft/store/postgres/rewriting.hpp"

#include <vector>

#include "weft/base/try.hpp"
#include "weft/store/postgres/web_schema.hpp"

namespace weft::store::sql {
namespace {

Result<bool> ask(Rows rows) {
  const bool answer = rows.next() && rows.integer(0) != 0;
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  return answer;
}

// Whether this role owns the tables: VACUUM of another's tells nobody that it did nothing.
Result<bool> owns_tables(const PlainDatabase& database) {
  return ask(database.query(
      "SELECT CAST(count(*) = 0 AS INTEGER) FROM pg_catalog.pg_tables "
      "WHERE schemaname = current_schema() AND NOT pg_catalog.pg_has_role(tableowner, 'USAGE')"));
}

Result<bool> may_call_function(const PlainDatabase& database) {
  return ask(database.query(
      "SELECT CAST(count(*) > 0 AS INTEGER) FROM pg_catalog.pg_proc "
      "WHERE pronamespace = CAST(current_schema() AS regnamespace) AND proname = 'rewrite_table' "
      "AND pg_catalog.has_function_privilege(oid, 'EXECUTE')"));
}

Result<std::vector<std::string>> all_tables(const PlainDatabase& database) {
  std::vector<std::string> tables;
  Rows rows = database.query(
      "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema() "
      "ORDER BY tablename");
  while (rows.next()) tables.emplace_back(rows.bytes(0));
  WEFT_TRY(rows.status());
  return tables;
}

Status rewrite(const PlainDatabase& database, const std::vector<std::string>& tables) {
  WEFT_TRY_VALUE(const bool is_owner, owns_tables(database));
  if (is_owner) {
    for (const std::string& table : tables) {
      WEFT_TRY(database.script(("VACUUM FULL " + quoted_name(table)).c_str()));
    }
    return {};
  }
  WEFT_TRY_VALUE(const bool may_call, may_call_function(database));
  if (!may_call) {
    return fail(ErrorCode::denied,
                "only the owner of the tables and keepers of the web may rewrite them; weft store "
                "grant URL ROLE --as keeper makes this role one");
  }
  for (const std::string& table : tables) {
    Rows done = database.query("SELECT rewrite_table(?)", std::string_view(table));
    while (done.next()) {
    }
    WEFT_TRY(done.status());
  }
  return {};
}

}  // namespace

Result<bool> rewrite_tables(const postgres::Url& url) {
  constexpr std::chrono::hours kLong{24};
  WEFT_TRY_VALUE(auto database,
                 postgres::open_database(url, {.statement = kLong, .silence = kLong}));
  WEFT_TRY_VALUE(const bool is_due, ask(database.query("SELECT count(*) FROM wipes")));
  if (!is_due) return true;
  WEFT_TRY_VALUE(const auto tables, all_tables(database));
  WEFT_TRY(rewrite(database, tables));
  for (const char* step : {"CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"}) {
    const Status done = database.script(step);
    if (!done && done.error().code != ErrorCode::denied) return fail(Error(done.error()));
  }
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY(database.run("DELETE FROM wipes"));
  WEFT_TRY(transaction.commit());
  return true;
}

// CLUSTER writes a table anew as VACUUM FULL does, and may run in a function. A table without a key
// has a row or two that are never deleted.
Status make_rewrite_function(const ::weft::sql::Database& database, const std::string& schema) {
  const std::string in_schema = quoted_text(schema);
  const std::string text = R"sql(
CREATE OR REPLACE FUNCTION rewrite_table(name TEXT) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
  key TEXT;
BEGIN
  SELECT k.relname INTO key
  FROM pg_catalog.pg_index AS x
  JOIN pg_catalog.pg_class AS k ON k.oid = x.indexrelid
  JOIN pg_catalog.pg_class AS t ON t.oid = x.indrelid
  WHERE t.relnamespace = to_regnamespace()sql" +
                           in_schema + R"sql() AND t.relname = name AND x.indisprimary;
  IF key IS NOT NULL THEN
    EXECUTE format('CLUSTER %I.%I USING %I', )sql" +
                           in_schema + R"sql(, name, key);
  END IF;
END $function$;
REVOKE ALL ON FUNCTION rewrite_table(TEXT) FROM PUBLIC;
)sql";
  return database.script(text.c_str());
}

}  // namespace weft::store::sql
