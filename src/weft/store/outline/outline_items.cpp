#include "weft/store/outline/outline_items.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace weft::store {
namespace {

// Finds the number of a turn by its handle. Turns are mostly asked for in order, and again and
// again.
class TurnNumbers {
 public:
  explicit TurnNumbers(const std::vector<OutlineTurn>& turns) {
    numbers_.reserve(turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
      numbers_.push_back({turns[i].turn, static_cast<std::uint32_t>(i)});
    }
    if (!std::ranges::is_sorted(numbers_)) std::ranges::sort(numbers_);
  }
  // Of a turn that is there twice, the first.
  std::optional<std::uint32_t> find(Handle turn) {
    if (has_found_ && numbers_[last_].turn == turn) return numbers_[last_].number;
    const auto is_at = [&](std::size_t at) {
      return at < numbers_.size() && numbers_[at].turn == turn &&
             (at == 0 || numbers_[at - 1].turn != turn);
    };
    if (has_found_ && is_at(last_ + 1)) return numbers_[++last_].number;
    const auto found = std::ranges::lower_bound(numbers_, turn, {}, &Numbered::turn);
    if (found == numbers_.end() || found->turn != turn) return std::nullopt;
    last_ = static_cast<std::size_t>(found - numbers_.begin());
    has_found_ = true;
    return found->number;
  }

 private:
  struct Numbered {
    Handle turn = 0;
    std::uint32_t number = 0;
    friend auto operator<=>(const Numbered&, const Numbered&) = default;
  };
  std::vector<Numbered> numbers_;
  std::size_t last_ = 0;  // where the last one was found
  bool has_found_ = false;
};

// By sequence, then by position, then as connected.
std::vector<const TurnItem*> in_order(const std::vector<TurnItem>& turns) {
  std::vector<const TurnItem*> order;
  order.reserve(turns.size());
  for (const TurnItem& turn : turns) order.push_back(&turn);
  const auto comes_before = [](const TurnItem* a, const TurnItem* b) {
    return std::tie(a->sequence, a->position, a) < std::tie(b->sequence, b->position, b);
  };
  if (!std::ranges::is_sorted(order, comes_before)) std::ranges::sort(order, comes_before);
  return order;
}

// The reading order of places: a block and its summaries each.
struct Placed {
  std::uint32_t turn = 0, number = 0;  // of its turn; among the blocks
  std::optional<std::int64_t> position{};

  friend bool operator<(const Placed& a, const Placed& b) {
    if (a.turn != b.turn) return a.turn < b.turn;
    if (a.position != b.position) return a.position < b.position;
    return a.number < b.number;
  }
};

// Adds entries in the order of places.
class Entries {
 public:
  Entries(const std::vector<BlockItem>& blocks, ConversationOutline& outline)
      : blocks_(blocks), outline_(outline) {
    outline.entries.reserve(blocks.size());
  }
  void add(const Placed& place) {
    if (place.turn != turn_before_) {
      outline_.turns[place.turn].is_root = !blocks_[place.number].has_cause;
    }
    turn_before_ = place.turn;
    std::uint32_t number = place.number;
    do {
      const BlockItem& block = blocks_[number];
      outline_.entries.push_back({.block = block.block,
                                  .turn = place.turn,
                                  .number = number,
                                  .is_superseded = block.is_superseded});
      ++number;
    } while (number < blocks_.size() && blocks_[number].is_summary);
  }
  void clear() {
    outline_.entries.clear();
    turn_before_.reset();
  }

 private:
  const std::vector<BlockItem>& blocks_;
  ConversationOutline& outline_;
  std::optional<std::uint32_t> turn_before_{};
};

}  // namespace

ConversationOutline arrange(const OutlineItems& items) {
  ConversationOutline outline;
  const std::vector<const TurnItem*> order = in_order(items.turns);
  outline.turns.reserve(order.size());
  for (const TurnItem* turn : order) {
    outline.turns.push_back({.turn = turn->turn,
                             .sequence = turn->sequence,
                             .created_at = turn->created_at,
                             .names_parent = turn->names_parent});
  }
  TurnNumbers numbers(outline.turns);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i]->parent) outline.turns[i].parent = numbers.find(*order[i]->parent);
  }

  const auto each_place = [&](const auto& visit) {
    for (std::size_t i = 0; i < items.blocks.size(); ++i) {
      const BlockItem& block = items.blocks[i];
      if (block.is_summary) continue;
      const auto turn = numbers.find(block.turn);
      if (turn) visit(Placed{*turn, static_cast<std::uint32_t>(i), block.position});
    }
  };
  // Mostly the places are in reading order, and need no sorting.
  Entries entries(items.blocks, outline);
  bool is_sorted = true;
  std::optional<Placed> before;
  each_place([&](const Placed& place) {
    is_sorted = is_sorted && (!before || *before < place);
    before = place;
    if (is_sorted) entries.add(place);
  });
  if (is_sorted) return outline;
  entries.clear();
  std::vector<Placed> places;
  each_place([&](const Placed& place) { places.push_back(place); });
  std::ranges::sort(places, std::less());
  for (const Placed& place : places) entries.add(place);
  return outline;
}

}  // namespace weft::store
