// The index of names: from the first bytes of a CID to ids.
//
// CIDs are random, so an index in one tree would be touched all over by every commit. Names
// are kept in runs instead. A run is sorted and lies in pages, each found by the hash that it
// begins with; a commit writes one run, and where there are several of about one size they
// are merged into the next. So a name is written a few times, always in order, however large
// the store; and looking for one reads one page of each run, of which there are few.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {

// The first 4 bytes of a CID: their order is that of CIDs, but for the few that share them.
using Hash = std::uint32_t;
Hash hash_of(const Cid& cid);

struct Name {
  Hash hash = 0;
  Id id = 0;
  friend auto operator<=>(const Name&, const Name&) = default;
};

// Whatever has this hash: most often one, or none.
Result<std::vector<Id>> find_names(const sqlite::Database& database, Hash hash);
// `names` are sorted, and new. In the writer's transaction, as is removing one.
Status add_names(const sqlite::Database& database, std::span<const Name> names);
// Nothing happens if it is not there.
Status remove_name(const sqlite::Database& database, const Name& name);

// Sorted, from the first whose hash is not less; until `visit` is false.
Status each_name(const sqlite::Database& database, Hash from,
                 const std::function<bool(Name)>& visit);
// In any order, fast.
Status each_name(const sqlite::Database& database, const std::function<void(Name)>& visit);

// A page: how far each hash lies beyond the one before it (the first: beyond `first`), and
// each id beyond the least of them. Precondition: sorted, and no hash less than `first`.
std::string pack_names(std::span<const Name> names, Hash first);
Result<std::vector<Name>> unpack_names(std::string_view page, Hash first);

// Up to version 4 there were two tables, (hash, id) each: makes one run of them.
Status gather_names(const sqlite::Database& database);

}  // namespace weft::store::sql
