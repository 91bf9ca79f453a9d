// Remembers the last few texts of a kind by their hashes, so that a reader's state does not grow
// with the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>

namespace weft {
class StateArchive;
}

namespace weft::formats {

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
