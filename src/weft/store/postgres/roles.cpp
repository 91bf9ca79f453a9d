#include "weft/store/postgres/roles.hpp"

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/store/postgres/rewriting.hpp"
#include "weft/store/postgres/web_schema.hpp"

namespace weft::store::sql {
namespace {

// What a push does, statement by statement (store/sql/write/import.cpp): it adds thoughts and what
// leads to them, counts a conversation, and takes rows from late tables, which a keeper fills
// again. Pages of the search index are merged, so that they are removed and written again. Nothing
// that is signed is changed or removed. tests/share/roles_test.cpp tries each right.
constexpr std::array kWriterRights = {
    WriterRight{"web", "UPDATE (turn)"},
    WriterRight{"words", "INSERT"},
    WriterRight{"names", "INSERT"},
    WriterRight{"name_hashes", "INSERT"},
    WriterRight{"thoughts", "INSERT"},
    WriterRight{"effects", "INSERT"},
    WriterRight{"connections", "INSERT"},
    WriterRight{"runs", "INSERT"},
    WriterRight{"shares", "INSERT"},
    WriterRight{"checkpoints", "INSERT (id, conversation, leaves), UPDATE (leaves)"},
    WriterRight{"tombstones", "INSERT"},
    WriterRight{"conversations",
                "INSERT (id, format, session_id, source, created_at, touched, adopted), "
                "UPDATE (facts, checkpoint, turns, blocks, thoughts, touched)"},
    WriterRight{"search_state", "UPDATE"},
    WriterRight{"search_keys", "INSERT"},
    WriterRight{"search_documents", "INSERT, UPDATE (documents)"},
    WriterRight{"index_runs", "INSERT, DELETE"},
    WriterRight{"index_pages", "INSERT, DELETE"},
    WriterRight{"late_tables", "UPDATE (behind)"},
    WriterRight{"catalogue", "DELETE"},
    WriterRight{"tallies", "DELETE"},
    WriterRight{"tally_days", "DELETE"},
    WriterRight{"requests", "DELETE"},
    WriterRight{"request_pages", "DELETE"},
    WriterRight{"request_sums", "DELETE"},
    WriterRight{"outlines", "DELETE"},
    WriterRight{"outline_pages", "DELETE"},
    WriterRight{"edits", "DELETE"},
    WriterRight{"edit_pages", "DELETE"},
    WriterRight{"edit_names", "DELETE"},
    WriterRight{"secrets", "DELETE"},
    WriterRight{"secret_pages", "DELETE"},
};

constexpr std::size_t kMostNameBytes = 63;
constexpr std::size_t kIdDigits = 8;

std::string note_of(WebRole role, const WebId& web) {
  return "weft: " + std::string(to_string(role)) + " of the web " + to_hex(web);
}

Result<std::optional<std::string>> find_name(Rows rows) {
  std::optional<std::string> name;
  if (rows.next()) name = std::string(rows.bytes(0));
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  return name;
}

Result<std::optional<std::string>> find_by_note(const PlainDatabase& database,
                                                const std::string& note) {
  return find_name(database.query(
      "SELECT rolname FROM pg_catalog.pg_roles "
      "WHERE pg_catalog.shobj_description(oid, 'pg_authid') = ? ORDER BY rolname LIMIT 1",
      std::string_view(note)));
}

// SCHEMA_reader; with the beginning of the id where that is taken, or too long.
Result<std::string> free_name(const PlainDatabase& database, const std::string& schema,
                              WebRole role, const WebId& web) {
  const std::string tail = "_" + std::string(to_string(role));
  std::string plain = schema + tail;
  if (plain.size() <= kMostNameBytes) {
    WEFT_TRY_VALUE(
        const auto taken,
        find_name(database.query("SELECT rolname FROM pg_catalog.pg_roles WHERE rolname = ?",
                                 std::string_view(plain))));
    if (!taken) return plain;
  }
  const std::string id = "_" + to_hex(web).substr(0, kIdDigits);
  return schema.substr(0, kMostNameBytes - tail.size() - id.size()) + id + tail;
}

std::vector<std::string> statements_for(const GroupRole& role, const WebId& web,
                                        const std::string& admin) {
  const std::string name = quoted_name(role.name);
  return {"CREATE ROLE " + name + " NOLOGIN" + admin,
          "COMMENT ON ROLE " + name + " IS " + quoted_text(note_of(role.role, web))};
}

Result<bool> may_make_roles(const PlainDatabase& database) {
  Rows rows = database.query(
      "SELECT CAST(rolcreaterole OR rolsuper AS INTEGER) FROM pg_catalog.pg_roles "
      "WHERE rolname = current_user");
  const bool may = rows.next() && rows.integer(0) != 0;
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  return may;
}

}  // namespace

std::span<const WriterRight> writer_rights() { return kWriterRights; }

Result<WebRoles> WebRoles::read(const PlainDatabase& database, const std::string& schema) {
  WebRoles roles(database, schema);
  WEFT_TRY_VALUE(roles.web_, id_of_web(database));
  for (const WebRole kind : kWebRoles) {
    GroupRole& role = roles.roles_[static_cast<std::size_t>(kind)];
    role.role = kind;
    WEFT_TRY_VALUE(auto name, find_by_note(database, note_of(kind, roles.web_)));
    role.is_there = name.has_value();
    if (!name) {
      WEFT_TRY_VALUE(name, free_name(database, schema, kind, roles.web_));
    }
    role.name = *std::move(name);
  }
  return roles;
}

// Whoever runs init is to be able to grant them.
std::vector<std::string> WebRoles::statements() const {
  std::vector<std::string> all;
  Result<std::optional<std::string>> user = find_name(database_->query("SELECT current_user"));
  const bool is_known = user && *user;
  const std::string admin = is_known ? " ADMIN " + quoted_name(**user) : std::string();
  for (const GroupRole& role : roles_) {
    if (role.is_there) continue;
    for (std::string& one : statements_for(role, web_, admin)) all.push_back(std::move(one));
  }
  return all;
}

Result<bool> WebRoles::make() {
  WEFT_TRY_VALUE(const bool may, may_make_roles(*database_));
  if (!may) return false;
  for (GroupRole& role : roles_) {
    if (role.is_there) continue;
    for (const std::string& one : statements_for(role, web_, "")) {
      WEFT_TRY(database_->script(one.c_str()));
    }
    role.is_there = role.is_new = true;
  }
  return true;
}

Status WebRoles::give_rights() const {
  WEFT_TRY(make_rewrite_function(*database_, schema_));
  const std::string schema = quoted_name(schema_);
  for (const GroupRole& role : roles_) {
    if (!role.is_there) continue;
    const std::string to = " TO " + quoted_name(role.name);
    const std::string tables = " ON ALL TABLES IN SCHEMA " + schema;
    std::string sql = "GRANT USAGE ON SCHEMA " + schema + to + ";";
    sql += "REVOKE ALL" + tables + " FROM " + quoted_name(role.name) + ";";
    if (role.role == WebRole::keeper) {
      sql += "GRANT SELECT, INSERT, UPDATE, DELETE" + tables + to + ";";
      sql += "GRANT EXECUTE ON FUNCTION rewrite_table(TEXT)" + to + ";";
    } else {
      sql += "GRANT SELECT" + tables + to + ";";
    }
    if (role.role == WebRole::writer) {
      for (const WriterRight& right : kWriterRights) {
        sql += "GRANT " + std::string(right.rights) + " ON " + std::string(right.table) + to + ";";
      }
    }
    WEFT_TRY(database_->script(sql.c_str()));
  }
  return {};
}

}  // namespace weft::store::sql
