#include "weft/base/try.hpp"
#include "weft/store/sql/derived/checks.hpp"
#include "weft/store/sql/sums/sums.hpp"

namespace weft::store::sql {
namespace {

std::string rows_of(std::int64_t count) {
  return count == 1 ? "1 row" : std::to_string(count) + " rows";
}

std::string what_differs(const TableSum& stored, const TableSum& found) {
  if (found.rows < stored.rows) {
    const std::int64_t gone = stored.rows - found.rows;
    return rows_of(gone) + (gone == 1 ? " was" : " were") + " removed";
  }
  if (found.rows > stored.rows) {
    const std::int64_t added = found.rows - stored.rows;
    return rows_of(added) + (added == 1 ? " was" : " were") + " added by something other than weft";
  }
  return "a row was changed by something other than weft";
}

}  // namespace

Status check_sum(Derivation& from, std::string_view table, FindingList& out) {
  WEFT_TRY_VALUE(auto stored, from.database.sums().find(table));
  if (!stored) {
    WEFT_TRY_VALUE(auto complete, from.database.sums().are_complete());
    if (complete) out.add("table_sums", "the sum of " + std::string(table) + " is gone");
    return {};
  }
  WEFT_TRY_VALUE(auto found, from.database.sums().compute(table));
  if (found != *stored) out.add(table, what_differs(*stored, found));
  return {};
}

}  // namespace weft::store::sql
