// TreeIndex: the name index as rows of a table, in the order of its key.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/name_index.hpp"

namespace weft::store::sql {

class TreeIndex final : public NameIndex {
 public:
  // `database` outlives it.
  explicit TreeIndex(const PlainDatabase& database) : database_(database) {}

  Result<std::vector<Id>> find(Hash hash) override;
  Result<std::vector<Name>> find_all(std::span<const Hash> hashes) override;
  Status each_from(Hash from, const std::function<bool(Name)>& visit) override;
  Status each(const std::function<void(Name)>& visit) override;
  Status add(std::span<const Name> names) override;
  Status add_rows(std::span<const NameRow> rows) override;
  Status remove(const Name& name) override;
  Status remove_all() override;
  std::string_view table() const override { return "name_hashes"; }
  // The key keeps their order.
  Status check(const std::function<void(Name)>& visit, FindingList&) override {
    return each(visit);
  }

 private:
  const PlainDatabase& database_;
};

}  // namespace weft::store::sql
