// Tables of pairs that follow from rows of another table, such as `effects` (cause, thought) from
// thoughts. The second of a pair is the row that it follows from, its owner.
#pragma once

#include <functional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "weft/store/sql/derived/checks.hpp"

namespace weft::store::sql {

struct Pair {
  Id first = 0, owner = 0;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};
using VisitPair = std::function<void(const Pair&)>;

struct PairTable {
  std::string_view name;
  // Visits the pairs that follow from the owners from `low` to `high`. An owner that cannot be read
  // is added to `unreadable`: verify reports it, and its pairs stay as they are.
  Status (*derive)(Derivation& from, Id low, Id high, const VisitPair& visit,
                   std::unordered_set<Id>& unreadable);
  // Visits the pairs of the table.
  Status (*read)(Derivation& from, const VisitPair& visit);
  Status (*add)(Derivation& from, const Pair& pair);
  Status (*remove)(Derivation& from, const Pair& pair);
};

struct Difference {
  std::vector<Pair> missing{}, surplus{};
};

// Calls `visit` with what the table lacks, and with what follows from nothing, group by group.
Status each_difference(Derivation& from, const PairTable& table,
                       const std::function<Status(const Difference&)>& visit);
Status rebuild_pairs(Derivation& from, const PairTable& table);

}  // namespace weft::store::sql
