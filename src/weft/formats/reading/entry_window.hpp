// A window over a tree of entries: finds the turn of an entry that a later one names as its
// parent. Bounded, because a session may have millions of entries.
//
// It keeps the last kRecent entries, and of those before them the last kEnds that ended a turn,
// for that is where people branch. A branch from farther back is emitted as following the line
// before it: its content is complete, its place in the tree is lost.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {
class StateArchive;
}

namespace weft::formats {

inline constexpr std::size_t kRecent = 96;
inline constexpr std::size_t kEnds = 160;

// The position of an entry in the emitted conversation. An entry without content of its own has
// the position of its parent.
struct TreePosition {
  std::uint64_t content = 0;  // number of the last record emitted up to it; 0 for none
  std::string turn;           // that record's turn
  friend bool operator==(const TreePosition&, const TreePosition&) = default;
};

// The fingerprint of an entry: hashes of its id and of its whole line.
struct Fingerprint {
  std::int64_t id = 0, text = 0;
};
Fingerprint fingerprint_of(std::string_view id, std::string_view text);

class EntryWindow {
 public:
  void add(std::string_view id, Fingerprint fingerprint, TreePosition position);
  // Empty if it is not remembered. Valid until the next add().
  const TreePosition* find(std::string_view id) const;
  const TreePosition* find(Fingerprint fingerprint) const {
    return position_of(find_item(fingerprint.id));
  }
  // Whether an entry of that id is remembered, and whether its line was the same.
  enum class Seen { no, same, other };
  Seen seen(Fingerprint fingerprint) const;

  void archive(StateArchive& a);

 private:
  struct Item {
    Fingerprint fingerprint;
    TreePosition position;
  };
  using Items = std::deque<Item>;
  // As rows of numbers one behind the other: id, text, content, position of the turn in `turns`.
  static std::vector<std::int64_t> numbers_of(const Items& items, std::vector<std::string>& turns);
  // False if `numbers` are not such rows.
  static bool read_numbers(const std::vector<std::int64_t>& numbers,
                           const std::vector<std::string>& turns, Items& items);
  const Item* find_item(std::int64_t id) const;
  static const TreePosition* position_of(const Item* item) {
    return item == nullptr ? nullptr : &item->position;
  }

  Items recent_, ends_;
  std::string newest_;  // the last id, for nearly every entry follows the one before; not kept
};

// A hash to remember a text by.
std::int64_t short_hash(std::string_view text);

}  // namespace weft::formats
