#include "weft/store/sqlite/mend/bit_search.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "weft/base/parallel_for.hpp"

namespace weft::store::sql {

std::string with_bit_changed(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  return bytes;
}

bool is_one_bit_away(std::string_view bytes, std::string_view others) {
  if (bytes.size() != others.size()) return false;
  int different = 0;
  for (std::size_t i = 0; i < bytes.size() && different < 2; ++i) {
    different += std::popcount(static_cast<unsigned char>(bytes[i] ^ others[i]));
  }
  return different == 1;
}

std::optional<std::size_t> find_bit(std::size_t count, unsigned threads,
                                    const std::function<bool(unsigned, std::size_t)>& holds) {
  constexpr std::size_t kAtOnce = 64;  // so that threads seldom meet
  constexpr std::size_t kNone = ~std::size_t{0};
  std::atomic<std::size_t> found = kNone;
  // A thread costs more than a few hundred hashes.
  const unsigned used = count < 16 * kAtOnce ? 1 : threads;
  parallel_for((count + kAtOnce - 1) / kAtOnce, used, [&](unsigned thread, std::size_t piece) {
    const std::size_t end = std::min(count, (piece + 1) * kAtOnce);
    for (std::size_t bit = piece * kAtOnce; bit < end && found == kNone; ++bit) {
      if (holds(thread, bit)) found = bit;
    }
  });
  if (found == kNone) return std::nullopt;
  return found.load();
}

}  // namespace weft::store::sql
