// Edge pages: packed connections. Each is stored as its difference from the one of its kind before
// it, which takes 5 or 6 bytes where a row of a table and its indexes took 55.
// docs/formats/store.md has the grammar. Pure functions; bytes that cannot be read are `corrupt`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {

// A stored connection: everything it refers to is an id.
struct Edge {
  Id id = 0;
  Id relation = 0;  // a word
  Id from = 0, to = 0;
  std::optional<Id> label{};  // a word
  std::optional<std::int64_t> position{};
  Id created_by = 0;
  Millis created_at = 0;
  std::string signature{};  // by pack_signature(); empty: through the tree, at its own leaf

  friend bool operator==(const Edge&, const Edge&) = default;
};

// `first` is the name of the page: no id on it is smaller. Precondition: `edges` are sorted by id,
// each id once.
std::string pack_edges(std::span<const Edge> edges, Id first);
// Reads the edges of a page into `edges`, replacing what was there; its memory is reused.
Status unpack_edges(std::string_view page, Id first, std::vector<Edge>& edges);

}  // namespace weft::store::sql
