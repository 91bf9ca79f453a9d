// What only SQLite can say of its file: its own checks of pages and indexes.
#include <array>

#include "weft/base/try.hpp"
#include "weft/store/sqlite/derived/sqlite_checks.hpp"

namespace weft::store::sql {
namespace {

// SQLite's own check of every page and index.
Status check_file(Derivation& from, FindingList& out) {
  Rows rows = from.database.query("PRAGMA integrity_check(20)");
  while (rows.next()) {
    if (rows.bytes(0) == "ok") continue;
    out.add("weft.db", "SQLite's integrity check: " + std::string(rows.bytes(0)), {},
            "weft backup, and restore the last good backup with weft restore-home");
  }
  return rows.status();
}

// FTS5's check of its indexes. Nothing is found where the store cannot be written, which it needs.
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

}  // namespace

std::span<const Recomputed> sqlite_checks() {
  static const std::array kChecks = {
      Recomputed{CheckDepth::quick, check_file, nullptr},
      Recomputed{CheckDepth::full, check_fulltext, nullptr},
      Recomputed{CheckDepth::quick, check_edge_ends, rebuild_edge_ends, {"edge_ends"}}};
  return kChecks;
}

}  // namespace weft::store::sql
