// Remembers the last few texts of a kind by their hashes, so that a reader's state does not grow
// with the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::formats {

class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}
  bool has(std::string_view text) const;
  // False if it is remembered already.
  bool add(std::string_view text);

  json::array save() const;
  // False if `state` is not what save() gave, or not there.
  [[nodiscard]] bool restore(const json::array* state);

 private:
  std::size_t most_;
  std::deque<std::int64_t> hashes_;
};

}  // namespace weft::formats
