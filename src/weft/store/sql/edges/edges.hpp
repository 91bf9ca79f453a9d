// Edges: reads and writes the connections of a store, by id or by either end.
//
// Most questions are SQL on `connections`, which every store has: as a table, or as a view of what
// it keeps. Code that reads many in a row, or writes, uses this. It reads page by page: the
// connections of a commit have ids in a row and mostly lead to thoughts of the same commit, so one
// page answers several questions.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "weft/store/pages/edge_page.hpp"
#include "weft/store/sql/database.hpp"

namespace weft::store::sql {

// A whole row of `connections`.
Edge to_edge(const Rows& row);

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

// Implementations: packed pages in SQLite (store/sqlite/edges/paged_edges.hpp). One connection to
// the database. For one thread at a time.
class Edges {
 public:
  virtual ~Edges() = default;

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
  virtual Result<std::vector<Id>> pages_between(Id low, Id high) = 0;
  // The connections of a page; empty if there is no such page. Valid until the next page is read.
  virtual Result<std::span<const Edge>> read(Id page) = 0;
  // The first and the last page. Empty in a store without connections.
  struct Pages {
    Id first, last;
  };
  virtual Result<std::optional<Pages>> pages() = 0;

  // --- in the writer's transaction -------------------------------------------------------
  // Adds new connections, sorted by id.
  virtual Status add(std::span<const Edge> edges) = 0;
  // Changes all of a connection but its id. An unknown id is not an error.
  virtual Status change(const Edge& edge) = 0;
  // Removes connections by sorted ids.
  virtual Status remove(std::span<const Id> ids) = 0;

 protected:
  // A page is named by an id that none of its connections is below, and that the next page is
  // beyond.
  virtual Result<std::optional<Id>> page_at_or_before(Id id) = 0;
  virtual Result<std::optional<Id>> page_at_or_after(Id id) = 0;
  // The first page from `low` to `high`, or the last, that may have a connection with this end.
  virtual Result<std::optional<Id>> next_page_with(Id end, Id low, Id high, bool descending) = 0;
};

}  // namespace weft::store::sql
