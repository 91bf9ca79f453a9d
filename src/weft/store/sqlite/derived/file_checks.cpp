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

}  // namespace

std::span<const Recomputed> sqlite_checks() {
  static const std::array kChecks = {
      Recomputed{CheckDepth::quick, check_file, nullptr},
      Recomputed{CheckDepth::quick, check_edge_ends, rebuild_edge_ends, {"edge_ends"}}};
  return kChecks;
}

}  // namespace weft::store::sql
