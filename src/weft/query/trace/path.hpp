// Path: whether one thought rests on another, and through which thoughts.
#pragma once

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct PathOptions {
  std::uint64_t limit = 20'000;  // thoughts that are looked at, in each direction
  QueryControl control{};
};
// A shortest path between two thoughts along the edges that `why` follows (questions.hpp):
//
//   {path: [{…thought, reached_by?}], rests: "from" | "to" | null, searched, truncated}
//
// `path` begins at the thought that rests on the other, and ends at that other one; `rests` says
// which of the two it begins at. Without a path it is empty, and `rests` is null; if `truncated` is
// true as well, the limit was reached first, and there may be one. A thought is a path to itself.
// not_found if one of the two is not stored.
Result<json::object> path(const Library& library, const Cid& from, const Cid& to,
                          const PathOptions& options);

}  // namespace weft::query
