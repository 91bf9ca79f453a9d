#include "weft/store/sql/edges/edges.hpp"

#include <algorithm>
#include <iterator>

#include "weft/base/try.hpp"

namespace weft::store::sql {

Edge to_edge(const Rows& row) {
  return {.id = row.integer(0),
          .relation = row.integer(1),
          .from = row.integer(2),
          .to = row.integer(3),
          .label = row.find_integer(4),
          .position = row.find_integer(5),
          .created_by = row.integer(6),
          .created_at = row.integer(7),
          .signature = std::string(row.bytes(8))};
}

Result<std::optional<Id>> Edges::Walk::next_page() {
  if (!low_) {
    Result<std::optional<Id>> low = edges_->page_at_or_before(wanted_.low);
    if (!low) return low;
    low_ = low->value_or(wanted_.low);
  }
  constexpr Id kLeast = std::numeric_limits<Id>::min(), kMost = std::numeric_limits<Id>::max();
  if (at_ && *at_ == (wanted_.descending ? kLeast : kMost)) return std::nullopt;
  const Id low = at_ && !wanted_.descending ? *at_ + 1 : *low_;
  const Id high = at_ && wanted_.descending ? *at_ - 1 : wanted_.high;
  if (low > high) return std::nullopt;
  if (const std::optional<Id> end = wanted_.from ? wanted_.from : wanted_.to) {
    return edges_->next_page_with(*end, low, high, wanted_.descending);
  }
  Result<std::optional<Id>> page =
      wanted_.descending ? edges_->page_at_or_before(high) : edges_->page_at_or_after(low);
  if (page && *page && (**page < low || **page > high)) return std::nullopt;
  return page;
}

Result<bool> Edges::Walk::next(std::vector<Edge>& found) {
  for (;;) {
    WEFT_TRY_VALUE(auto page, next_page());
    if (!page) {
      found.clear();
      return false;
    }
    at_ = page;
    found.clear();
    const Result<std::span<const Edge>> all = edges_->read(*at_);
    if (!all) return fail(Error(all.error()));
    std::ranges::copy_if(*all, std::back_inserter(found),
                         [this](const Edge& edge) { return wanted_.has(edge); });
    if (found.empty()) continue;
    if (wanted_.descending) std::ranges::reverse(found);
    return true;
  }
}

}  // namespace weft::store::sql
