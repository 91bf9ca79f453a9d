#include "weft/store/postgres/web_schema.hpp"

#include <algorithm>
#include <random>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

WebId new_web() {
  std::random_device random;
  WebId id;
  for (std::uint8_t& byte : id) byte = static_cast<std::uint8_t>(random());
  return id;
}

Status check_tables(const PlainDatabase& database) {
  WEFT_TRY_VALUE(const std::int64_t version, read_tables_version(database, ForUpdate::no));
  return check_readable(version);
}

// The server would refuse CREATE SCHEMA IF NOT EXISTS to a role that may make none, although an
// administrator made this one for it.
Status make_schema(const PlainDatabase& database, const std::string& schema) {
  Rows rows = database.query("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?",
                             std::string_view(schema));
  const bool is_there = rows.next();
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  if (is_there) return {};
  return database.script(("CREATE SCHEMA " + quoted_name(schema)).c_str());
}

// All or nothing. Where two do it at once, the second fails, and finds what the first one made.
Status make_tables(const PlainDatabase& database, const std::string& schema) {
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY(make_schema(database, schema));
  WEFT_TRY(create_tables(database, kPostgresTypes, new_web()));
  return transaction.commit();
}

std::string quoted_with(char quote, std::string_view text) {
  std::string out(1, quote);
  for (const char c : text) out.append(c == quote ? 2 : 1, c);
  return out += quote;
}

}  // namespace

Result<OpenedTables> open_tables(const postgres::Url& url, Create create,
                                 const postgres::Limits& limits) {
  WEFT_TRY_VALUE(auto database, postgres::open_database(url, limits));
  Status there = check_tables(database);
  bool is_new = false;
  if (!there && there.error().code == ErrorCode::not_found && create == Create::yes) {
    const Status made = make_tables(database, url.schema());
    is_new = made.has_value();
    there = check_tables(database);
    if (!there && !made) there = made;
  }
  if (!there) return fail(std::move(there).error());
  return OpenedTables{.database = std::move(database), .is_new = is_new};
}

Result<WebId> id_of_web(const PlainDatabase& database) {
  Rows rows = database.query("SELECT id FROM web");
  WebId id;
  const bool is_id = rows.next() && rows.bytes(0).size() == id.size();
  if (is_id) std::ranges::copy(rows.bytes(0), id.begin());
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  if (!is_id) return fail(ErrorCode::corrupt, "the id of the web is damaged");
  return id;
}

std::string quoted_name(std::string_view name) { return quoted_with('"', name); }
std::string quoted_text(std::string_view text) { return quoted_with('\'', text); }

}  // namespace weft::store::sql
