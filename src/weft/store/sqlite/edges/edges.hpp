// Finds and writes connections: in pages (edge_page.hpp), by id or by either end.
//
// A commit's connections come one after another and lead to what came with them. So a page is
// found by what stands on it, not each connection by itself: `edge_ends` names the pages on which
// something may be found, by the id of a far end, and by 64 ids at once where an end is near.
//
// Most questions are asked in SQL, of `connections` (edge_table.hpp). Whoever reads many in a row,
// or writes, does it here.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "weft/sqlite/statement.hpp"
#include "weft/store/pages/edge_page.hpp"

namespace weft::store::sql {

// A whole row of `connections`.
Edge to_edge(const sqlite::Rows& row);

// Which connections, and in which order of their ids.
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

    // What is wanted of the next page on which something is, into `found`. False at the end.
    // corrupt if a page cannot be read: the next call goes on behind it.
    Result<bool> next(std::vector<Edge>& found);
    // The one that next() came to. Precondition: it was called, and did not come to the end.
    Id page() const { return *at_; }

   private:
    Result<std::optional<Id>> next_page();

    Edges* edges_;
    WantedEdges wanted_;
    std::optional<Id> at_{};   // the page before
    std::optional<Id> low_{};  // the first page that counts, once it is known
  };

  // --- in the writer's transaction -------------------------------------------------------
  // New ones, in the order of their ids.
  Status add(std::span<const Edge> edges);
  // The one with this id. Nothing happens if there is none.
  Status change(const Edge& edge);
  // Those with these ids, which are in order: each page is written once.
  Status remove(std::span<const Id> ids);

 private:
  Result<std::optional<Id>> find_page(sqlite::Statement& statement, Id id);
  Result<std::optional<Id>> find_next_with(Id end, Id low, Id high, bool descending);
  // What is on a page: nothing if there is none. Holds until the next is read.
  Result<std::span<const Edge>> read(Id page);
  // `keys_before` is what the page was found by until now.
  Status write(Id page, std::span<const Edge> edges, std::span<const Id> keys_before);
  // A page, rewritten as `change` leaves its edges.
  template <class Change>
  Status rewrite(Id page, const Change& change);

  // Questions come in the order of pages, several for each: one that was unpacked is not unpacked
  // again, as long as its bytes are the same.
  struct Unpacked {
    Id page = 0;
    std::string bytes{};
    std::vector<Edge> edges{};
  };
  static constexpr std::size_t kKept = 7;
  std::array<Unpacked, kKept> unpacked_{};

  sqlite::Statement at_or_before_, at_or_after_, page_, write_, remove_;
  sqlite::Statement next_with_, last_with_, add_end_, remove_end_;
};

}  // namespace weft::store::sql
