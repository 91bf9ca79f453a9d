// Names that nothing refers to any more once rows are removed.
#pragma once

#include <unordered_set>
#include <vector>

#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/names.hpp"

namespace weft::store::sql {

struct LooseNames {
  std::vector<Id> names{};       // removed with the rows; sorted
  std::vector<Cid> spoken_of{};  // of removed rows that remaining ones refer to; sorted
};

// `thoughts` and `connections` are removed. The names `kept` stay and are in neither list.
Result<LooseNames> find_loose_names(const Database& database, const Words& words,
                                    const std::vector<Id>& thoughts,
                                    const std::vector<Id>& connections,
                                    const std::unordered_set<Id>& kept);

}  // namespace weft::store::sql
