// Remembers the last few texts of a kind by their hashes, so that a reader's state does not grow
// with the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>

namespace weft {
class StateArchive;
}

namespace weft::formats {

// Appends `item` to a bounded window, and drops the oldest beyond `most`.
template <class T>
void push(std::deque<T>& window, T item, std::size_t most) {
  window.push_back(std::move(item));
  if (window.size() > most) window.pop_front();
}

class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}
  bool has(std::string_view text) const;
  // False if it is remembered already.
  bool add(std::string_view text);

  // The field `key`, a list of hashes.
  void archive(StateArchive& a, std::string_view key);

 private:
  std::size_t most_;
  std::deque<std::int64_t> hashes_;
};

}  // namespace weft::formats
