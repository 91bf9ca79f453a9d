// NameSet: a set of the hashed names of requests, for hundreds of thousands of them at once.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::store {

class NameSet {
 public:
  // Never holds more than `most` names.
  explicit NameSet(std::size_t most);

  // False if it holds the pair already.
  bool insert(std::uint64_t message, std::uint64_t request) {
    const std::pair name(message, request);
    if (name == kNone) return !std::exchange(has_none_, true);
    for (std::size_t at = (message * seeds_.first + request * seeds_.second) >> shift_;; ++at) {
      auto& slot = slots_[at & (slots_.size() - 1)];
      if (slot == name) return false;
      if (slot != kNone) continue;
      slot = name;
      return true;
    }
  }

 private:
  static constexpr std::pair<std::uint64_t, std::uint64_t> kNone{0, 0};

  std::vector<std::pair<std::uint64_t, std::uint64_t>> slots_;  // half full at most
  int shift_;
  // Odd and random: an import may state names that were chosen to fall together.
  std::pair<std::uint64_t, std::uint64_t> seeds_;
  bool has_none_ = false;
};

}  // namespace weft::store
