// A web on a server, as who administers it sees it: its tables and the roles that may use it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/postgres/url.hpp"

namespace weft::store {

// What a role of the server may do with a web. A reader asks; a writer also adds what a push adds,
// and removes nothing that is signed; a keeper also forgets, repairs and fills tables.
enum class WebRole { reader, writer, keeper };
std::string_view to_string(WebRole role);

// A group role of the web: whoever is its member has its rights.
struct GroupRole {
  WebRole role = WebRole::reader;
  // weft_reader, weft_writer and weft_keeper for the schema weft, and so for others. With the
  // beginning of the web's id where the server has such a role of another web.
  std::string name;
  bool is_there = false;
  bool is_new = false;  // made just now
};

struct InitReport {
  std::string schema, web;  // web: its id
  std::int64_t version = 0;
  bool made_tables = false;  // just now
  std::vector<GroupRole> roles{};
  // What an administrator runs before another init, where this role may not make roles: statements
  // of SQL.
  std::vector<std::string> to_run{};
};

// Makes schema, tables and group roles, as far as they are missing, and gives the roles their
// rights. denied if the tables belong to another role; invalid_input for tables of another version.
// Other failures as of open_store().
[[nodiscard]] Result<InitReport> init_web(const postgres::Url& server);

struct GrantReport {
  std::string role, group;
  bool had_it = false;      // before
  bool may_connect = true;  // to the database
};

// Makes `role`, which exists on the server, a member of a group role. What it had stays. not_found
// without the role or the group; denied if this role may not do it, with the SQL for who may;
// invalid_input for a role that stands for everybody.
[[nodiscard]] Result<GrantReport> grant_role(const postgres::Url& server, const std::string& role,
                                             WebRole as);

}  // namespace weft::store
