#include "weft/formats/reading/entry_window.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/state_archive.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::formats {
namespace {

constexpr int kHashBytes = 6;        // exact in any JSON, short in the state
constexpr std::size_t kNumbers = 4;  // of an entry in the state

}  // namespace

std::int64_t short_hash(std::string_view text) {
  const Digest digest = crypto::blake3(text);
  std::int64_t hash = 0;
  for (int i = 0; i < kHashBytes; ++i) hash = hash << 8 | digest[static_cast<std::size_t>(i)];
  return hash;
}

Fingerprint fingerprint_of(std::string_view id, std::string_view text) {
  return {short_hash(id), short_hash(text)};
}

void EntryWindow::add(std::string_view id, Fingerprint fingerprint, TreePosition position) {
  newest_ = id;
  recent_.push_back({fingerprint, std::move(position)});
  if (recent_.size() <= kRecent) return;
  Item oldest = std::move(recent_.front());
  recent_.pop_front();
  if (oldest.position.turn == recent_.front().position.turn) return;
  ends_.push_back(std::move(oldest));
  if (ends_.size() > kEnds) ends_.pop_front();
}

const EntryWindow::Item* EntryWindow::find_item(std::int64_t id) const {
  for (const std::deque<Item>* items : {&recent_, &ends_}) {
    const auto found = std::find_if(items->rbegin(), items->rend(),
                                    [&](const Item& item) { return item.fingerprint.id == id; });
    if (found != items->rend()) return &*found;
  }
  return nullptr;
}

const TreePosition* EntryWindow::find(std::string_view id) const {
  if (!newest_.empty() && id == newest_) return &recent_.back().position;
  return position_of(find_item(short_hash(id)));
}

EntryWindow::Seen EntryWindow::seen(Fingerprint fingerprint) const {
  const Item* item = find_item(fingerprint.id);
  if (item == nullptr) return Seen::no;
  return item->fingerprint.text == fingerprint.text ? Seen::same : Seen::other;
}

std::vector<std::int64_t> EntryWindow::numbers_of(const Items& items,
                                                  std::vector<std::string>& turns) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(items.size() * kNumbers);
  for (const Item& item : items) {
    if (turns.empty() || turns.back() != item.position.turn) turns.push_back(item.position.turn);
    numbers.insert(numbers.end(), {item.fingerprint.id, item.fingerprint.text,
                                   static_cast<std::int64_t>(item.position.content),
                                   static_cast<std::int64_t>(turns.size() - 1)});
  }
  return numbers;
}

bool EntryWindow::read_numbers(const std::vector<std::int64_t>& numbers,
                               const std::vector<std::string>& turns, Items& items) {
  if (numbers.size() % kNumbers != 0) return false;
  items.clear();
  for (std::size_t i = 0; i < numbers.size(); i += kNumbers) {
    const std::int64_t content = numbers[i + 2], turn = numbers[i + 3];
    if (content < 0 || turn < 0 || static_cast<std::size_t>(turn) >= turns.size()) return false;
    items.push_back({{numbers[i], numbers[i + 1]},
                     {static_cast<std::uint64_t>(content), turns[static_cast<std::size_t>(turn)]}});
  }
  return true;
}

void EntryWindow::archive(StateArchive& a) {
  std::vector<std::string> turns;
  std::vector<std::int64_t> ends = numbers_of(ends_, turns), recent = numbers_of(recent_, turns);
  a.field("turns", turns);
  a.field("ends", ends);
  a.field("recent", recent);
  if (a.is_writing() || !a.is_ok()) return;
  a.check(read_numbers(ends, turns, ends_) && read_numbers(recent, turns, recent_));
  newest_.clear();
}

}  // namespace weft::formats
