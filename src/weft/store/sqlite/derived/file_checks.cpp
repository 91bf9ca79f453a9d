#include "weft/base/try.hpp"
#include "weft/store/sqlite/derived/checks.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

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

Status check_file(Derivation& from, FindingList& out) {
  Rows rows = from.database.query("PRAGMA integrity_check(20)");
  while (rows.next()) {
    if (rows.bytes(0) == "ok") continue;
    out.add("weft.db", "SQLite's integrity check: " + std::string(rows.bytes(0)), {},
            "weft backup, and restore the last good backup with weft restore-home");
  }
  return rows.status();
}

Status check_sum(Derivation& from, std::string_view table, FindingList& out) {
  WEFT_TRY_VALUE(auto stored, find_sum(from.database, table));
  if (!stored) {
    WEFT_TRY_VALUE(auto complete, has_all_sums(from.database));
    if (complete) out.add("table_sums", "the sum of " + std::string(table) + " is gone");
    return {};
  }
  WEFT_TRY_VALUE(auto found, sum_rows(from.database, table));
  if (found != *stored) out.add(table, what_differs(*stored, found));
  return {};
}

Status check_fulltext(Derivation& from, FindingList& out) {
  const auto check = [&](std::string_view table, const Status& status) {
    if (!status && status.error().code == ErrorCode::corrupt) {
      out.add(table, "FTS5's integrity check: " + status.error().message, {}, kReindex);
    }
  };
  check("search_clear",
        from.database.run("INSERT INTO search_clear (search_clear) VALUES ('integrity-check')"));
  check("search_metadata", from.database.run("INSERT INTO search_metadata (search_metadata) "
                                             "VALUES ('integrity-check')"));
  check("search_content", from.database.run("INSERT INTO search_content (search_content) "
                                            "VALUES ('integrity-check')"));
  return {};
}

}  // namespace weft::store::sql
