#include "weft/store/tables/name_set.hpp"

#include <bit>
#include <random>
#include <utility>

namespace weft::store {
namespace {

constexpr std::size_t kFewest = 16;

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

NameMixer::NameMixer() {
  static const std::array<std::uint64_t, 2> seeds = {random_number(), random_number() | 1};
  seeds_ = seeds;
}

NameSet::NameSet(std::size_t expected)
    : slots_(std::bit_ceil(expected * kFullest / kOfSlots + kFewest)) {}

void NameSet::grow() {
  std::vector<std::uint64_t> before(slots_.size() * 2);
  std::swap(before, slots_);
  size_ = 0;
  for (const std::uint64_t name : before) {
    if (name != 0) place(name);
  }
}

}  // namespace weft::store
