#include "weft/store/outline/outline_items.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace weft::store {
namespace {

// Finds the number of a turn by its handle. Blocks of one turn mostly come one after another.
class TurnNumbers {
 public:
  explicit TurnNumbers(const std::vector<OutlineTurn>& turns) {
    numbers_.reserve(turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
      numbers_.emplace(turns[i].turn, static_cast<std::uint32_t>(i));
    }
  }
  std::optional<std::uint32_t> find(Handle turn) {
    if (turn == last_turn_) return last_;
    const auto found = numbers_.find(turn);
    last_turn_ = turn;
    last_ = found == numbers_.end() ? std::nullopt : std::optional(found->second);
    return last_;
  }

 private:
  std::unordered_map<Handle, std::uint32_t> numbers_;
  Handle last_turn_ = 0;
  std::optional<std::uint32_t> last_{};
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

struct Placed {
  std::uint32_t turn = 0, number = 0;  // of its turn; among the blocks
  std::optional<std::int64_t> position{};
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

  std::vector<Placed> places;
  places.reserve(items.blocks.size());
  for (std::size_t i = 0; i < items.blocks.size(); ++i) {
    const BlockItem& block = items.blocks[i];
    if (block.is_summary) continue;
    if (const auto turn = numbers.find(block.turn)) {
      places.push_back({*turn, static_cast<std::uint32_t>(i), block.position});
    }
  }
  const auto comes_before = [](const Placed& a, const Placed& b) {
    return std::tie(a.turn, a.position, a.number) < std::tie(b.turn, b.position, b.number);
  };
  if (!std::ranges::is_sorted(places, comes_before)) std::ranges::sort(places, comes_before);

  outline.entries.reserve(items.blocks.size());
  std::optional<std::uint32_t> turn_before;
  for (const Placed& place : places) {
    if (place.turn != turn_before) {
      outline.turns[place.turn].is_root = !items.blocks[place.number].has_cause;
    }
    turn_before = place.turn;
    std::uint32_t number = place.number;
    do {
      const BlockItem& block = items.blocks[number];
      outline.entries.push_back({.block = block.block,
                                 .turn = place.turn,
                                 .number = number,
                                 .is_superseded = block.is_superseded});
      ++number;
    } while (number < items.blocks.size() && items.blocks[number].is_summary);
  }
  return outline;
}

}  // namespace weft::store
