// Random texts to index.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>

#include "weft/store/index_terms.hpp"

namespace weft::store::sql {

inline std::string packed_terms_of(std::string text) {
  thought::Thought thought;
  thought.type = "test/response";
  thought.content = {{"text", std::move(text)}};
  return terms_of(thought, {})->clear.packed;
}

// Texts in which a few words are common and most are rare, some joined to others.
class Texts {
 public:
  explicit Texts(std::uint64_t seed) : random(seed) {}
  std::string word() {
    static constexpr const char* kWords[] = {"the", "apple", "apply", "appl", "zebra", "kiwi"};
    if (random() % 3 == 0) return kWords[random() % std::size(kWords)];
    return std::string(1, static_cast<char>('a' + random() % 5)) +
           std::to_string(random() % (1 + random() % 400));
  }
  std::string text() {
    std::string out;
    for (std::uint64_t words = random() % (1 + random() % 200); words > 0; --words) {
      static constexpr const char* kBetween[] = {" ", " ", " ", "_", "/", ".\n"};
      out += word() + kBetween[random() % std::size(kBetween)];
    }
    return out;
  }
  std::mt19937_64 random;
};

}  // namespace weft::store::sql
