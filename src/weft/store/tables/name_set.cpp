#include "weft/store/tables/name_set.hpp"

#include <array>
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

// Every bit of the result depends on every bit of `value` (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9U;
  value = (value ^ value >> 27) * 0x94D049BB133111EBU;
  return value ^ value >> 31;
}

}  // namespace

std::uint64_t mixed_names(std::uint64_t message, std::uint64_t request, std::uint64_t scope) {
  static const std::array<std::uint64_t, 3> random = {random_number(), random_number() | 1,
                                                      random_number()};
  const std::uint64_t first = mixed(message + random[0]) * random[1];
  const std::uint64_t name = mixed((first ^ scope) + mixed(request + random[2]));
  return name == 0 ? 1 : name;
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
