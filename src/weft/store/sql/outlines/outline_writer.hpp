// OutlineWriter: adds items to the outline of a conversation, at its end. Writes a page when it is
// full, and the newest items with finish(), so that an addition costs what it adds and one page.
#pragma once

#include <vector>

#include "weft/store/sql/outlines/outline_pages.hpp"

namespace weft::store::sql {

// A block at a place, then its summaries.
using PlacedGroup = std::vector<PageBlock>;

class OutlineWriter {
 public:
  // For a conversation without items, or behind the items that `tail` ends with.
  explicit OutlineWriter(const OutlinePages& pages, StoredPage tail = {.is_tail = true})
      : pages_(pages), tail_(std::move(tail)) {}

  // Whether a connection comes after all that are in it.
  bool is_behind_end(Id edge) const { return edge > tail_.last; }
  const OutlinePage& tail() const { return tail_.page; }

  // Preconditions: item.edge, or that of the first of the group, is behind the end.
  Status add(TurnItem turn);
  Status add(PlacedGroup group);
  Status finish() { return pages_.write(tail_); }

 private:
  // Makes room for an item, in a new page if this one is full.
  Status begin(Id edge);

  const OutlinePages& pages_;
  StoredPage tail_;
};

}  // namespace weft::store::sql
