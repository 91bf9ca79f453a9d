#include "weft/store/sql/derived/pair_tables.hpp"
#include "weft/store/sqlite/derived/sqlite_checks.hpp"
#include "weft/store/sqlite/edges/paged_edges.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

Status derive_edge_ends(Derivation& from, Id low, Id high, const VisitPair& visit,
                        std::unordered_set<Id>& unreadable) {
  Rows rows = from.database.query(
      "SELECT first, edges FROM edge_pages WHERE first BETWEEN ? AND ? ORDER BY first", low, high);
  std::vector<Edge> edges;
  while (rows.next()) {
    const Id page = rows.integer(0);
    edges.clear();
    if (!unpack_edges(rows.bytes(1), page, edges)) {
      unreadable.insert(page);
      continue;
    }
    for (const Id end : end_keys(page, edges)) visit({end, page});
  }
  return rows.status();
}

Status read_edge_ends(Derivation& from, const VisitPair& visit) {
  Rows rows = from.database.query("SELECT end, page FROM edge_ends");
  while (rows.next()) visit({rows.integer(0), rows.integer(1)});
  return rows.status();
}

constexpr PairTable kEdgeEnds = {
    "edge_ends", derive_edge_ends, read_edge_ends,
    [](Derivation& from, const Pair& pair) {
      return from.database.run(
          "INSERT INTO edge_ends (end, page) VALUES (?, ?) ON CONFLICT DO NOTHING", pair.first,
          pair.owner);
    },
    [](Derivation& from, const Pair& pair) {
      return from.database.run("DELETE FROM edge_ends WHERE end = ? AND page = ?", pair.first,
                               pair.owner);
    }};

}  // namespace

Status check_edge_ends(Derivation& from, FindingList& out) {
  return each_difference(from, kEdgeEnds, [&](const Difference& difference) -> Status {
    for (const Pair& pair : difference.missing) {
      // Ends of a group of ids are listed below 0.
      const std::optional<Id> about = pair.first > 0 ? std::optional(pair.first) : std::nullopt;
      out.add("edge_ends", "connections of page " + std::to_string(pair.owner) + " are not found",
              about);
    }
    for (const Pair& pair : difference.surplus) {
      out.add("edge_ends",
              "a row for page " + std::to_string(pair.owner) + " follows from nothing");
    }
    return {};
  });
}

Status rebuild_edge_ends(Derivation& from) { return rebuild_pairs(from, kEdgeEnds); }

}  // namespace weft::store::sql
