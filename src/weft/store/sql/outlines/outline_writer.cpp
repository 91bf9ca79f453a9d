#include "weft/store/sql/outlines/outline_writer.hpp"

#include <utility>

#include "weft/base/try.hpp"

namespace weft::store::sql {

Status OutlineWriter::add(TurnItem turn) {
  WEFT_TRY(begin(turn.edge));
  tail_.page.turns.push_back(turn);
  return {};
}

Status OutlineWriter::add(PlacedGroup group) {
  WEFT_TRY(begin(group.front().item.edge));
  for (PageBlock& block : group) tail_.page.blocks.push_back(std::move(block));
  return {};
}

Status OutlineWriter::begin(Id edge) {
  if (tail_.page.blocks.size() >= kPageBlocks) {
    tail_.is_tail = false;
    WEFT_TRY(pages_.write(tail_));
    tail_ = {.is_tail = true};
  }
  if (tail_.page.blocks.empty() && tail_.page.turns.empty()) tail_.first = edge;
  tail_.last = edge;
  return {};
}

}  // namespace weft::store::sql
