#include "weft/store/postgres/tables.hpp"

#include <optional>
#include <string>

#include "weft/base/try.hpp"
#include "weft/store/postgres/table_steps.hpp"
#include "weft/store/sql/late/late_table.hpp"

namespace weft::store::sql {
namespace {

std::string with_types(std::string_view rest, const TypeNames& types) {
  std::string out;
  for (std::size_t at = 0; (at = rest.find('$')) != std::string_view::npos;) {
    out += rest.substr(0, at);
    rest.remove_prefix(at);
    for (const auto& [mark, name] : {std::pair(std::string_view("$TEXT"), types.text),
                                     {"$BYTES", types.bytes},
                                     {"$COUNTED", types.counted}}) {
      if (!rest.starts_with(mark)) continue;
      out += name;
      rest.remove_prefix(mark.size());
      break;
    }
  }
  return out += rest;
}

Status take_step(const PlainDatabase& database, std::size_t step, const TypeNames& types) {
  return database.script(with_types(table_steps()[step], types).c_str());
}

}  // namespace

Status create_tables(const PlainDatabase& database, const TypeNames& types, const WebId& web,
                     std::int64_t version) {
  for (std::int64_t step = 0; step < version; ++step) {
    WEFT_TRY(take_step(database, static_cast<std::size_t>(step), types));
  }
  for (const LateTable& table : late_tables()) {
    WEFT_TRY(database.run("INSERT INTO late_tables (name, version, behind) VALUES (?, ?, 0)",
                          table.name, table.version));
  }
  const std::string_view id(reinterpret_cast<const char*>(web.data()), web.size());
  return database.run("INSERT INTO web (id, version) VALUES (?, ?)", Blob{id}, version);
}

Result<std::int64_t> read_tables_version(const PlainDatabase& database, ForUpdate lock) {
  Rows rows = lock == ForUpdate::yes ? database.query("SELECT version FROM web FOR UPDATE")
                                     : database.query("SELECT version FROM web");
  std::optional<std::int64_t> version;
  if (rows.next()) version = rows.integer(0);
  while (rows.next()) {
  }
  WEFT_TRY(rows.status());
  if (!version) {
    return fail(ErrorCode::not_found, "the schema holds no store; make one with weft store init");
  }
  return *version;
}

Status migrate_tables(const PlainDatabase& database, const TypeNames& types) {
  while (true) {
    WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
    WEFT_TRY_VALUE(const std::int64_t version, read_tables_version(database, ForUpdate::yes));
    WEFT_TRY(check_readable(version));
    if (version == kTablesVersion) return {};
    WEFT_TRY(take_step(database, static_cast<std::size_t>(version), types));
    WEFT_TRY(database.run("UPDATE web SET version = ?", version + 1));
    WEFT_TRY(transaction.commit());
  }
}

Status check_readable(std::int64_t version) {
  const std::string has = "the web has tables of version " + std::to_string(version);
  if (version > kTablesVersion) {
    return fail(ErrorCode::invalid_input, has + ", and this weft knows " +
                                              std::to_string(kTablesVersion) +
                                              " at most: a newer weft made them; use that one");
  }
  if (version >= kOldestReadTables) return {};
  return fail(ErrorCode::corrupt, has + ", which no weft has made");
}

Status check_writable(std::int64_t version) {
  WEFT_TRY(check_readable(version));
  if (version == kTablesVersion) return {};
  return fail(ErrorCode::invalid_input,
              "the web has tables of version " + std::to_string(version) +
                  ", and this weft writes " + std::to_string(kTablesVersion) +
                  "; their owner brings them there with weft store migrate URL; it can be read");
}

}  // namespace weft::store::sql
