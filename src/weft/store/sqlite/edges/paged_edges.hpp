// PagedEdges: the connections of a store in SQLite, packed in pages (edge_page.hpp).
//
// The connections of a commit are stored one after another and mostly lead to thoughts of the same
// commit. So an index finds pages, not single connections: `edge_ends` lists the pages that may
// have an end, by the id of a far end, and by groups of 64 ids for a near one.
//
// SQL sees them as the virtual table `connections` (edge_table.hpp).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "weft/sqlite/statement.hpp"
#include "weft/store/sql/edges/edges.hpp"

namespace weft::store::sql {

// The keys by which a page is found in `edge_ends`, sorted, each once.
std::vector<Id> end_keys(Id page, std::span<const Edge> edges);

class PagedEdges final : public Edges {
 public:
  // The database outlives it.
  explicit PagedEdges(sqlite3* database);

  Result<std::vector<Id>> pages_between(Id low, Id high) override;
  Result<std::span<const Edge>> read(Id page) override;
  Result<std::optional<Pages>> pages() override;

  Status add(std::span<const Edge> edges) override;
  Status change(const Edge& edge) override;
  // Each page is written once.
  Status remove(std::span<const Id> ids) override;

 private:
  Result<std::optional<Id>> find_page(sqlite::Statement& statement, Id id);
  Result<std::optional<Id>> page_at_or_before(Id id) override;
  Result<std::optional<Id>> page_at_or_after(Id id) override;
  Result<std::optional<Id>> next_page_with(Id end, Id low, Id high, bool descending) override;
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

  sqlite::Statement at_or_before_, at_or_after_, limits_, page_, write_, remove_;
  sqlite::Statement next_with_, last_with_, between_, add_end_, remove_end_;
};

}  // namespace weft::store::sql
