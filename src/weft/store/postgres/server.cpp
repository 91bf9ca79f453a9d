#include "weft/store/server.hpp"

#include <algorithm>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/store/migrate.hpp"
#include "weft/store/postgres/migrating.hpp"
#include "weft/store/postgres/roles.hpp"
#include "weft/store/postgres/web_schema.hpp"

namespace weft::store {
namespace sql {
namespace {

struct Owner {
  std::string name;
  bool is_us = false;
};
Result<Owner> read_owner(const PlainDatabase& database) {
  Rows rows = database.query(
      "SELECT tableowner, CAST(pg_catalog.pg_has_role(tableowner, 'USAGE') AS INTEGER) "
      "FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'web'");
  Owner owner;
  if (rows.next()) owner = {std::string(rows.bytes(0)), rows.integer(1) != 0};
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  return owner;
}

Status check_owner(const PlainDatabase& database, std::string_view what) {
  WEFT_TRY_VALUE(const Owner owner, read_owner(database));
  if (owner.is_us) return {};
  return fail(ErrorCode::denied, "only the role " + owner.name +
                                     ", which owns the tables of the web, may " +
                                     std::string(what) + "; connect as that one");
}

Result<InitReport> init(const postgres::Url& url) {
  WEFT_TRY_VALUE(const OpenedTables opened, open_tables(url, Create::yes));
  const PlainDatabase& database = opened.database;
  WEFT_TRY(check_owner(database, "make its roles and give them their rights"));
  // The row of the web is locked, so that two of these come one after another.
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY_VALUE(const std::int64_t version, read_tables_version(database, ForUpdate::yes));
  WEFT_TRY(check_writable(version));
  WEFT_TRY_VALUE(auto roles, WebRoles::read(database, url.schema()));
  InitReport report{.schema = url.schema(),
                    .web = to_hex(roles.web()),
                    .version = version,
                    .made_tables = opened.is_new,
                    .to_run = roles.statements()};
  WEFT_TRY_VALUE(const bool made, roles.make());
  if (made) report.to_run.clear();
  WEFT_TRY(roles.give_rights());
  WEFT_TRY(transaction.commit());
  report.roles.assign(roles.all().begin(), roles.all().end());
  return report;
}

struct Member {
  bool is_there = false;     // the role
  bool is_in = false;        // a member of the group
  bool may_connect = false;  // to the database
};
Result<Member> read_member(const PlainDatabase& database, std::string_view role,
                           std::string_view group) {
  Rows rows = database.query(
      "SELECT CAST(EXISTS (SELECT 1 FROM pg_catalog.pg_auth_members AS m "
      "JOIN pg_catalog.pg_roles AS g ON g.oid = m.roleid "
      "WHERE m.member = r.oid AND g.rolname = ?2) AS INTEGER), "
      "CAST(pg_catalog.has_database_privilege(r.oid, current_database(), 'CONNECT') AS INTEGER) "
      "FROM pg_catalog.pg_roles AS r WHERE r.rolname = ?1",
      role, group);
  Member member;
  if (rows.next()) member = {true, rows.integer(0) != 0, rows.integer(1) != 0};
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  return member;
}

Result<GrantReport> grant(const postgres::Url& url, const std::string& role, WebRole as) {
  WEFT_TRY_VALUE(const OpenedTables opened, open_tables(url, Create::no));
  const PlainDatabase& database = opened.database;
  WEFT_TRY_VALUE(const auto roles, WebRoles::read(database, url.schema()));
  const GroupRole& group = roles.of(as);
  if (!group.is_there) {
    return fail(ErrorCode::not_found,
                "the web has no roles yet; make them with weft store init URL");
  }
  const bool is_group =
      std::ranges::any_of(roles.all(), [&](const GroupRole& one) { return one.name == role; });
  if (is_group) {
    return fail(ErrorCode::invalid_input,
                role + " is a group of the web itself; name the role of a person or a program");
  }
  WEFT_TRY_VALUE(const Member member, read_member(database, role, group.name));
  if (!member.is_there) {
    return fail(ErrorCode::not_found, "the server has no role " + role +
                                          "; an administrator makes it: CREATE ROLE " +
                                          quoted_name(role) + " LOGIN");
  }
  GrantReport report{
      .role = role, .group = group.name, .had_it = member.is_in, .may_connect = member.may_connect};
  if (member.is_in) return report;
  const std::string sql = "GRANT " + quoted_name(group.name) + " TO " + quoted_name(role);
  const Status done = database.script(sql.c_str());
  if (!done && done.error().code == ErrorCode::denied) {
    return fail(ErrorCode::denied, "this role may not grant " + group.name +
                                       "; who administers the server runs: " + sql);
  }
  WEFT_TRY(done);
  return report;
}

// PostgreSQL takes `public` for everybody, in any case and even in quotes.
bool is_everybody(std::string_view role) {
  return std::ranges::equal(role, std::string_view("public"), {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

}  // namespace

// New tables and columns have the rights that the roles have to them. The tables are those of the
// newest version then, so the roles may be given theirs.
Result<MigrationReport> migrate_web(const postgres::Url& url) {
  constexpr std::chrono::hours kLong{24};
  WEFT_TRY_VALUE(const OpenedTables opened,
                 open_tables(url, Create::no, {.statement = kLong, .silence = kLong}));
  const PlainDatabase& database = opened.database;
  WEFT_TRY_VALUE(const std::int64_t from, read_tables_version(database, ForUpdate::no));
  if (from == kTablesVersion) return MigrationReport{.from = from, .to = from};
  WEFT_TRY(check_owner(database, "migrate them"));
  WEFT_TRY(migrate_tables(database, kPostgresTypes));
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY_VALUE(const std::int64_t to, read_tables_version(database, ForUpdate::yes));
  WEFT_TRY_VALUE(const auto roles, WebRoles::read(database, url.schema()));
  WEFT_TRY(roles.give_rights());
  WEFT_TRY(transaction.commit());
  return MigrationReport{.from = from, .to = to};
}

}  // namespace sql

std::string_view to_string(WebRole role) {
  switch (role) {
    case WebRole::writer: return "writer";
    case WebRole::keeper: return "keeper";
    case WebRole::reader: break;
  }
  return "reader";
}

Result<InitReport> init_web(const postgres::Url& server) {
  Result<InitReport> report = sql::init(server);
  if (!report) return fail(std::move(report).error().within("setting up " + server.str()));
  return report;
}

Result<GrantReport> grant_role(const postgres::Url& server, const std::string& role, WebRole as) {
  if (sql::is_everybody(role)) {
    return fail(ErrorCode::invalid_input,
                "PUBLIC is everybody who may connect; grant to a role of a person or a group");
  }
  return sql::grant(server, role, as);
}

}  // namespace weft::store
