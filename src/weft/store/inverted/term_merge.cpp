#include "weft/store/inverted/term_merge.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {

TermMerge::TermMerge(IndexPages& pages, std::span<const IndexRun> runs,
                     RunReader::Positions positions) {
  for (const IndexRun& run : runs) {
    having_.push_back(readers_.size());
    readers_.emplace_back(pages, run, positions);
  }
}

void TermMerge::start_at(std::string_view term) {
  for (RunReader& reader : readers_) reader.start_at(term);
}

Result<bool> TermMerge::next_term() {
  // In the order of terms; of equal ones, the earlier documents first.
  const auto is_later = [this](Reader a, Reader b) {
    const int order = readers_[a].term().compare(readers_[b].term());
    return order == 0 ? a > b : order > 0;
  };
  for (const Reader reader : having_) {
    WEFT_TRY_VALUE(auto has_more, readers_[reader].next_term());
    if (!has_more) continue;
    waiting_.push_back(reader);
    std::ranges::push_heap(waiting_, is_later);
  }
  having_.clear();
  at_ = 0;
  if (waiting_.empty()) return false;
  term_ = readers_[waiting_.front()].term();
  while (!waiting_.empty() && readers_[waiting_.front()].term() == term_) {
    std::ranges::pop_heap(waiting_, is_later);
    having_.push_back(waiting_.back());
    waiting_.pop_back();
  }
  return true;
}

Result<bool> TermMerge::next_posting() {
  for (; at_ < having_.size(); ++at_) {
    WEFT_TRY_VALUE(auto has_more, readers_[having_[at_]].next_posting());
    if (has_more) return true;
  }
  return false;
}

}  // namespace weft::store::sql
