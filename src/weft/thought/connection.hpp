// Connection: a thought that joins two others. There are several for each block, so the store
// keeps them as columns; their canonical form is built only here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kConnectionType = "connection";

struct Connection {
  std::string relation;  // docs/design.md, "Connections"
  Cid from, to;
  std::optional<std::string> label{};
  std::optional<std::uint64_t> index{};
  Cid created_by{};
  Millis created_at = 0;
  Signature signature{};
  friend bool operator==(const Connection&, const Connection&) = default;
};

// Whether it is signed through a tree, as all but `uses_input` are.
inline bool is_structure(const Connection& connection) {
  return connection.relation != "uses_input";
}

// Equal to canonical_form(to_thought(connection)), but faster.
std::string canonical_form(const Connection& connection);
void append_canonical_form(std::string& out, const Connection& connection);
Cid cid_of(const Connection& connection);

Thought to_thought(const Connection& connection);
// invalid_input if `thought` is not a connection, or has members that Connection lacks.
Result<Connection> to_connection(const Thought& thought);

}  // namespace weft::thought
