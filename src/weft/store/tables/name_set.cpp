#include "weft/store/tables/name_set.hpp"

#include <random>

namespace weft::store {
namespace {

std::uint64_t random_odd_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device() | 1;
}

}  // namespace

NameSet::NameSet(std::size_t most) : slots_(std::bit_ceil(most * 2 + 2)) {
  static const std::pair seeds(random_odd_number(), random_odd_number());
  seeds_ = seeds;
  shift_ = 64 - std::countr_zero(slots_.size());
}

}  // namespace weft::store
