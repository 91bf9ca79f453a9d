// Edges: reads and writes the pages of connections (edge_page.hpp), by id or by either end.
//
// The connections of a commit are stored one after another and mostly lead to thoughts of the same
// commit. So an index finds pages, not single connections: `edge_ends` lists the pages that may
// have an end, by the id of a far end, and by groups of 64 ids for a near one.
//
// Most questions are SQL on `connections` (edge_table.hpp). Code that reads many in a row, or
// writes, uses this.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "weft/sqlite/statement.hpp"
#include "weft/store/pages/edge_page.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// A whole row of `connections`.
Edge to_edge(const Rows& row);

// The keys by which a page is found in `edge_ends`, sorted, each once.
std::vector<Id> end_keys(Id page, std::span<const Edge> edges);

// A selection of connections, and the order of their ids.
struct WantedEdges {
  std::optional<Id> from{}, to{};
  Id low = std::numeric_limits<Id>::min(), high = std::numeric_limits<Id>::max();  // inclusive
  bool descending = false;

  bool has(const Edge& edge) const {
    return edge.id >= low && edge.id <= high && from.value_or(edge.from) == edge.from &&
           to.value_or(edge.to) == edge.to;
  }
};

// One connection to the database, which outlives it. For one thread at a time.
class Edges {
 public:
  explicit Edges(sqlite3* database);

  // Goes from page to page.
  class Walk {
   public:
    // `edges` outlives it, and nothing is written meanwhile.
    Walk(Edges& edges, const WantedEdges& wanted) : edges_(&edges), wanted_(wanted) {}

    // Puts the wanted connections of the next page that has any into `found`. False at the end.
    // corrupt if a page cannot be read: the next call continues after it.
    Result<bool> next(std::vector<Edge>& found);
    // The page that next() read. Precondition: next() returned true.
    Id page() const { return *at_; }

   private:
    Result<std::optional<Id>> next_page();

    Edges* edges_;
    WantedEdges wanted_;
    std::optional<Id> at_{};   // the page before
    std::optional<Id> low_{};  // the first page that counts, once it is known
  };

  // The pages that may have a connection with an end from `low` to `high`, in order, each once.
  Result<std::vector<Id>> pages_between(Id low, Id high);
  // The connections of a page; empty if there is no such page. Valid until the next page is read.
  Result<std::span<const Edge>> read(Id page);

  // --- in the writer's transaction -------------------------------------------------------
  // Adds new connections, sorted by id.
  Status add(std::span<const Edge> edges);
  // Removes a connection. An unknown id is not an error.
  Status change(const Edge& edge);
  // Removes connections by sorted ids: each page is written once.
  Status remove(std::span<const Id> ids);

 private:
  Result<std::optional<Id>> find_page(sqlite::Statement& statement, Id id);
  Result<std::optional<Id>> find_next_with(Id end, Id low, Id high, bool descending);
  // `keys_before` are the keys by which the page was found before.
  Status write(Id page, std::span<const Edge> edges, std::span<const Id> keys_before);
  // Rewrites a page after `change` has edited its edges.
  template <class Change>
  Status rewrite(Id page, const Change& change);

  // The last unpacked page: questions come in the order of pages, several for each. It is reused as
  // long as its bytes are the same.
  struct Unpacked {
    Id page = 0;
    std::string bytes{};
    std::vector<Edge> edges{};
  };
  static constexpr std::size_t kKept = 7;
  std::array<Unpacked, kKept> unpacked_{};

  sqlite::Statement at_or_before_, at_or_after_, page_, write_, remove_;
  sqlite::Statement next_with_, last_with_, between_, add_end_, remove_end_;
};

}  // namespace weft::store::sql
