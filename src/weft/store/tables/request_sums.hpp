// Model requests added up by model and hour, as tables keep them beside the requests: what cost and
// figures of tokens read instead, wherever nobody repeats a request.
//
// A sum of a whole hour still has its price and its day: it says how large its prompts were and
// when its requests came, so whoever asks can tell whether all of them count alike.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/tables/name_set.hpp"
#include "weft/store/tables/request_list.hpp"

namespace weft::store {

// Some requests of one model.
struct RequestSum {
  std::uint32_t model = 0;                         // its number in the ModelNames beside it
  std::uint64_t requests = 0;                      // one at least
  std::optional<Millis> first{}, last{};           // their times, both or none; of one hour
  std::int64_t least_prompt = 0, most_prompt = 0;  // prompt_size() of the smallest and the largest
  transcript::Tokens tokens{};
  std::optional<std::int64_t>
      stated_cost{};  // of all of them, in billionths; empty if none has one

  friend bool operator==(const RequestSum&, const RequestSum&) = default;
};

struct RequestSums {
  // 32 bits of the name of each message, as often as there are requests of it.
  std::vector<std::uint32_t> names{};
  std::vector<RequestSum> sums{};

  friend bool operator==(const RequestSums&, const RequestSums&) = default;
};

// Of requests as merge_statements() leaves them.
RequestSums add_up(const std::vector<RequestEntry>& requests);

// As stored (docs/formats/store.md, "Sums of requests"); empty for none. Bytes that cannot be read
// are `corrupt`.
std::string pack(const RequestSums& sums, const ModelNames& models);
// Appends to `out`, with the numbers that `models` gives.
Status unpack_sums(std::string_view bytes, ModelNames& models, RequestSums& out);

// Finds conversations with a message that is named twice, in one of them or in two.
class RepeatedNames {
 public:
  explicit RepeatedNames(std::size_t conversations)
      : is_repeated_(conversations), slots_(kFewest) {}

  // A name that a conversation has, by the number of the conversation.
  void add(std::uint32_t name, std::uint32_t conversation) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = slots_[slot_of(name)];
    if (slot.conversation != kFree) {
      is_repeated_[slot.conversation] = is_repeated_[conversation] = true;
      return;
    }
    slot = {name, conversation};
    ++size_;
  }
  bool is_repeated(std::size_t conversation) const { return is_repeated_[conversation]; }

 private:
  static constexpr std::size_t kFewest = 1024;
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint32_t name = 0, conversation = kFree;
  };

  // The slot that has the name, or the free one where it belongs.
  std::size_t slot_of(std::uint32_t name) const {
    std::size_t at = mix_(name, 0) & (slots_.size() - 1);
    while (slots_[at].conversation != kFree && slots_[at].name != name) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }
  void grow();

  NameMixer mix_;
  std::vector<bool> is_repeated_;
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace weft::store
