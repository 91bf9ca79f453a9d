// The name index: maps the first bytes of a CID to ids.
//
// CIDs are random, so every commit would touch an index in one tree all over. Names are kept in
// sorted runs instead. A run consists of pages, each found by its first hash. A commit writes one
// run; several runs of about one size are merged into a larger one. So a name is written a few
// times, always in order, however large the store is, and a look-up reads one page of each of a few
// runs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// The first 4 bytes of a CID. Their order is that of CIDs, except for the few that share them.
using Hash = std::uint32_t;
Hash hash_of(const Cid& cid);

struct Name {
  Hash hash = 0;
  Id id = 0;
  friend auto operator<=>(const Name&, const Name&) = default;
};

// All names with this hash: usually one or none.
Result<std::vector<Id>> find_names(const Database& database, Hash hash);
// `names` are sorted and new. In the writer's transaction, as is remove.
Status add_names(const Database& database, std::span<const Name> names);
// An unknown name is not an error.
Status remove_name(const Database& database, const Name& name);

// Visits names in order, from the first whose hash is not smaller, until `visit` returns false.
Status each_name(const Database& database, Hash from, const std::function<bool(Name)>& visit);
// In any order, fast.
Status each_name(const Database& database, const std::function<void(Name)>& visit);

// A page: each hash as the difference from the one before it (the first: from `first`), each id as
// the difference from the smallest. Precondition: sorted, and no hash is smaller than `first`.
std::string pack_names(std::span<const Name> names, Hash first);
Result<std::vector<Name>> unpack_names(std::string_view page, Hash first);

// Makes one run of the two tables (hash, id) that stores up to version 4 have.
Status gather_names(const Database& database);

}  // namespace weft::store::sql
