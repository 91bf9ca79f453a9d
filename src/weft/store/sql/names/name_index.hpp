// NameIndex: maps the first bytes of a CID to ids.
//
// A name is found in two steps, so that connections need no row of 32 bytes: the index gives the
// ids whose CIDs begin like this one, usually one or none; the row of each in `names`, or the
// columns of a connection without one, give the whole CID (names.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {

class FindingList;

// The first 4 bytes of a CID. Their order is that of CIDs, except for the few that share them.
using Hash = std::uint32_t;
Hash hash_of(const Cid& cid);

struct Name {
  Hash hash = 0;
  Id id = 0;
  friend auto operator<=>(const Name&, const Name&) = default;
};

// A row of the table `names`.
struct NameRow {
  Id id = 0;
  const Cid* cid = nullptr;
};

// Implementations: sorted runs in SQLite (store/sqlite/names/run_index.hpp). One connection to the
// database. For one thread at a time.
class NameIndex {
 public:
  virtual ~NameIndex() = default;

  // All names with this hash.
  virtual Result<std::vector<Id>> find(Hash hash) = 0;
  // All names with any of these hashes, in any order. Hashes are in order.
  virtual Result<std::vector<Name>> find_all(std::span<const Hash> hashes) = 0;
  // Visits names in order, from the first whose hash is not smaller, until `visit` returns false.
  virtual Status each_from(Hash from, const std::function<bool(Name)>& visit) = 0;
  // All names in any order, fast.
  virtual Status each(const std::function<void(Name)>& visit) = 0;

  // --- in the writer's transaction -------------------------------------------------------
  // `names` are sorted and new.
  virtual Status add(std::span<const Name> names) = 0;
  // Writes rows of `names`, in the order of their ids.
  virtual Status add_rows(std::span<const NameRow> rows) = 0;
  // An unknown name is not an error.
  virtual Status remove(const Name& name) = 0;
  virtual Status remove_all() = 0;

  // --- for checks ------------------------------------------------------------------------
  // The table that holds it.
  virtual std::string_view table() const = 0;
  // Visits all names as they are stored, and adds what is wrong with their order to `out`.
  virtual Status check(const std::function<void(Name)>& visit, FindingList& out) = 0;
};

}  // namespace weft::store::sql
