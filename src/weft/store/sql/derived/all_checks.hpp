// All checks of a store, in one table: what each looks at, and what rebuilds it.
#pragma once

#include <span>

#include "weft/store/derived.hpp"
#include "weft/store/sql/derived/checks.hpp"

namespace weft::store::sql {

// A check that recomputes. Those of sums are one for each table of the store, and not listed.
struct Recomputed {
  CheckDepth depth;  // the least at which it is done
  Status (*check)(Derivation& from, FindingList& out);
  Status (*rebuild)(Derivation& from);     // null if it cannot, or RowWriter does
  std::vector<std::string_view> tables{};  // that it writes whole
};
// Long ones first. What a rebuild needs comes before it.
// Those of the database first.
std::vector<Recomputed> recomputed(const Database& database);

Result<std::vector<StoreCheck>> list_checks(const Database& database, CheckDepth depth);
Result<std::vector<StoreFinding>> run_check(Derivation& from, const StoreCheck& check);
// All of them, one after another.
Result<std::vector<StoreFinding>> run_all_checks(
    Derivation& from, const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace weft::store::sql
