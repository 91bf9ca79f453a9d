// NameSet: a set of the hashed names of requests, for hundreds of thousands of them at once.
//
// It keeps 8 bytes of each pair of names, mixed with numbers that are random for each process, so
// that nobody can choose names that fall together. That two of a million pairs do is as likely as 1
// in 30 million.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weft::store {

// Makes one number of the two names of a request, the same for the life of a process.
class NameMixer {
 public:
  NameMixer();
  std::uint64_t operator()(std::uint64_t message, std::uint64_t request) const {
    const std::uint64_t name = mixed(mixed(message + seeds_[0]) + request * seeds_[1]);
    return name == 0 ? 1 : name;
  }

 private:
  // Every bit of the result depends on every bit of `value` (the finalizer of SplitMix64).
  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9U;
    value = (value ^ value >> 27) * 0x94D049BB133111EBU;
    return value ^ value >> 31;
  }

  std::array<std::uint64_t, 2> seeds_;
};

class NameSet {
 public:
  // Grows as needed; `expected` saves that.
  explicit NameSet(std::size_t expected = 0);

  // Of a NameMixer. False if it is there already.
  bool insert(std::uint64_t name) {
    if ((size_ + 1) * kFullest > slots_.size() * kOfSlots) grow();
    return place(name);
  }
  bool contains(std::uint64_t name) const { return slots_[slot_of(name)] != 0; }
  std::size_t size() const { return size_; }

 private:
  // Three quarters of the slots are used at most.
  static constexpr std::size_t kFullest = 4, kOfSlots = 3;

  // The slot that has the name, or the free one where it belongs.
  std::size_t slot_of(std::uint64_t name) const {
    std::size_t at = name & (slots_.size() - 1);
    while (slots_[at] != 0 && slots_[at] != name) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  bool place(std::uint64_t name) {
    std::uint64_t& slot = slots_[slot_of(name)];
    if (slot == name) return false;
    slot = name;
    ++size_;
    return true;
  }
  void grow();

  std::vector<std::uint64_t> slots_;  // 0: free
  std::size_t size_ = 0;
};

}  // namespace weft::store
