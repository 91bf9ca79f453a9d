// RowEdges: the connections of a store as rows of a table, with an index of either end.
//
// A page is what a block of 128 ids holds. So nothing depends on how rows came, and several writers
// may add to one block.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "weft/store/sql/edges/edges.hpp"

namespace weft::store::sql {

class RowEdges final : public Edges {
 public:
  // `database` outlives it.
  explicit RowEdges(const PlainDatabase& database) : database_(database) {}

  Result<std::vector<Id>> pages_between(Id low, Id high) override;
  Result<std::span<const Edge>> read(Id page) override;
  Result<std::optional<Pages>> pages() override;

  Status add(std::span<const Edge> edges) override;
  Status change(const Edge& edge) override;
  Status remove(std::span<const Id> ids) override;

 private:
  Result<std::optional<Id>> page_at_or_before(Id id) override;
  Result<std::optional<Id>> page_at_or_after(Id id) override;
  Result<std::optional<Id>> next_page_with(Id end, Id low, Id high, bool descending) override;

  const PlainDatabase& database_;
  std::vector<Edge> page_;  // the one that was read last
};

}  // namespace weft::store::sql
