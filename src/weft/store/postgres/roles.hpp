// The group roles of a web: their names, and what each of them may do with each table.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "weft/store/postgres/tables.hpp"
#include "weft/store/server.hpp"

namespace weft::store::sql {

inline constexpr std::array kWebRoles = {WebRole::reader, WebRole::writer, WebRole::keeper};

// Of one web. A role is known by its comment, which names the web: another database of the same
// server may have a schema of the same name.
class WebRoles {
 public:
  // `database` is connected to the web, and outlives it.
  static Result<WebRoles> read(const PlainDatabase& database, const std::string& schema);

  const WebId& web() const { return web_; }
  const std::array<GroupRole, 3>& all() const { return roles_; }
  const GroupRole& of(WebRole role) const { return roles_[static_cast<std::size_t>(role)]; }

  // The statements that make the roles that are missing.
  std::vector<std::string> statements() const;
  // Makes them, where this role may; in the caller's transaction. False if it may not.
  Result<bool> make();
  // Gives the roles that are there their rights, and no others. In the caller's transaction, and by
  // the owner of the tables: another one's GRANT does nothing, and only warns.
  Status give_rights() const;

 private:
  WebRoles(const PlainDatabase& database, std::string schema)
      : database_(&database), schema_(std::move(schema)) {}

  const PlainDatabase* database_;
  std::string schema_;
  WebId web_{};
  std::array<GroupRole, 3> roles_{};
};

// A table and what a writer may do with it: the rest of GRANT, "INSERT, UPDATE (leaves)". A table
// that is not in the list is only read.
struct WriterRight {
  std::string_view table, rights;
};
std::span<const WriterRight> writer_rights();

}  // namespace weft::store::sql
