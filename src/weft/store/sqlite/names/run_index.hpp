// RunIndex: the name index in SQLite (name_index.hpp).
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

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/name_index.hpp"

namespace weft::store::sql {

class RunIndex final : public NameIndex {
 public:
  // `database` outlives it.
  explicit RunIndex(const PlainDatabase& database) : database_(database) {}

  Result<std::vector<Id>> find(Hash hash) override;
  Result<std::vector<Name>> find_all(std::span<const Hash> hashes) override;
  Status each_from(Hash from, const std::function<bool(Name)>& visit) override;
  Status each(const std::function<void(Name)>& visit) override;
  Status add(std::span<const Name> names) override;
  Status add_rows(std::span<const NameRow> rows) override;
  Status remove(const Name& name) override;
  Status remove_all() override;
  std::string_view table() const override { return "name_pages"; }
  Status check(const std::function<void(Name)>& visit, FindingList& out) override;

 private:
  const PlainDatabase& database_;
};

// A page: each hash as the difference from the one before it (the first: from `first`), each id as
// the difference from the smallest. Precondition: sorted, and no hash is smaller than `first`.
std::string pack_names(std::span<const Name> names, Hash first);
Result<std::vector<Name>> unpack_names(std::string_view page, Hash first);

// Makes one run of the two tables (hash, id) that stores up to version 4 have.
Status gather_names(const PlainDatabase& database);

}  // namespace weft::store::sql
