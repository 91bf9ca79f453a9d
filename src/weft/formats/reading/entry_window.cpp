#include "weft/formats/reading/entry_window.hpp"

#include <algorithm>
#include <utility>

#include "weft/crypto/blake3.hpp"

namespace weft::formats {
namespace {

constexpr int kHashBytes = 6;  // exact in any JSON, short in the state

// The entries as one row of numbers: id, text, content, and the turn by its position in `turns`.
template <class Items>
json::array numbers_of(const Items& items, json::array& turns) {
  json::array numbers;
  for (const auto& item : items) {
    if (turns.empty() || view(turns.back().get_string()) != item.seat.turn) {
      turns.emplace_back(item.seat.turn);
    }
    numbers.emplace_back(item.print.id);
    numbers.emplace_back(item.print.text);
    numbers.emplace_back(item.seat.content);
    numbers.emplace_back(turns.size() - 1);
  }
  return numbers;
}

}  // namespace

std::int64_t short_hash(std::string_view text) {
  const Digest digest = crypto::blake3(text);
  std::int64_t hash = 0;
  for (int i = 0; i < kHashBytes; ++i) hash = hash << 8 | digest[static_cast<std::size_t>(i)];
  return hash;
}

Print print_of(std::string_view id, std::string_view text) {
  return {short_hash(id), short_hash(text)};
}

void EntryWindow::add(std::string_view id, Print print, Seat seat) {
  newest_ = id;
  recent_.push_back({print, std::move(seat)});
  if (recent_.size() <= kRecent) return;
  Item oldest = std::move(recent_.front());
  recent_.pop_front();
  if (oldest.seat.turn == recent_.front().seat.turn) return;
  ends_.push_back(std::move(oldest));
  if (ends_.size() > kEnds) ends_.pop_front();
}

const EntryWindow::Item* EntryWindow::find_item(std::int64_t id) const {
  for (const std::deque<Item>* items : {&recent_, &ends_}) {
    const auto found = std::find_if(items->rbegin(), items->rend(),
                                    [&](const Item& item) { return item.print.id == id; });
    if (found != items->rend()) return &*found;
  }
  return nullptr;
}

const Seat* EntryWindow::find(std::string_view id) const {
  if (!newest_.empty() && id == newest_) return &recent_.back().seat;
  return seat_of(find_item(short_hash(id)));
}

EntryWindow::Seen EntryWindow::seen(Print print) const {
  const Item* item = find_item(print.id);
  if (item == nullptr) return Seen::no;
  return item->print.text == print.text ? Seen::same : Seen::other;
}

json::object EntryWindow::save() const {
  json::array turns;
  json::array ends = numbers_of(ends_, turns);
  json::array recent = numbers_of(recent_, turns);
  return {{"turns", std::move(turns)}, {"ends", std::move(ends)}, {"recent", std::move(recent)}};
}

bool EntryWindow::restore(const json::object& state) {
  const json::array* turns = find_array(state, "turns");
  const json::array* ends = find_array(state, "ends");
  const json::array* recent = find_array(state, "recent");
  if (turns == nullptr || ends == nullptr || recent == nullptr) return false;
  const auto restore_items = [&](const json::array& numbers, std::deque<Item>& items) {
    if (numbers.size() % 4 != 0 ||
        !std::ranges::all_of(numbers, [](const json::value& n) { return n.is_int64(); })) {
      return false;
    }
    for (std::size_t i = 0; i < numbers.size(); i += 4) {
      const std::int64_t content = numbers[i + 2].get_int64(), turn = numbers[i + 3].get_int64();
      if (content < 0 || turn < 0 || static_cast<std::size_t>(turn) >= turns->size()) return false;
      const json::string* name = (*turns)[static_cast<std::size_t>(turn)].if_string();
      if (name == nullptr) return false;
      items.push_back({{numbers[i].get_int64(), numbers[i + 1].get_int64()},
                       {static_cast<std::uint64_t>(content), std::string(view(*name))}});
    }
    return true;
  };
  EntryWindow restored;
  if (!restore_items(*ends, restored.ends_) || !restore_items(*recent, restored.recent_)) {
    return false;
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats
