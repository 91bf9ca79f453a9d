// Edge pages: packed connections. Each is stored as its difference from the one before it of its
// kind, which takes 5 or 6 bytes where a row of a table and its indexes took 55.
// docs/formats/store.md has the grammar. Pure; what cannot be read back is `corrupt`.
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

// A connection as it is stored: all that it speaks of by id.
struct Edge {
  Id id = 0;
  Id relation = 0;  // a word
  Id from = 0, to = 0;
  std::optional<Id> label{};  // a word
  std::optional<std::int64_t> position{};
  Id created_by = 0;
  Millis created_at = 0;
  std::string signature{};  // as pack_signature() makes it; empty: by the tree, where it stands

  friend bool operator==(const Edge&, const Edge&) = default;
};

// `first` is the page's name: no id on it is less. Precondition: `edges` are in the order of
// their ids, each id once.
std::string pack_edges(std::span<const Edge> edges, Id first);
// The edges of a page into `edges`, whose memory is used again. Whatever was there is gone.
Status unpack_edges(std::string_view page, Id first, std::vector<Edge>& edges);

}  // namespace weft::store::sql
