// Words to fill corpora with, from a seed: common ones more often than rare ones; or, by Zipf's
// law, as people and programs use them.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace weft::bench {

enum class Law { common_and_rare, zipf };

class Words {
 public:
  explicit Words(std::uint64_t seed, Law law = Law::common_and_rare) : random_(seed), law_(law) {
    const int many = law == Law::zipf ? 18'000 : 5000;
    for (int i = 0; i < many; ++i) words_.push_back(make_word());
  }

  std::uint64_t number(std::uint64_t below) { return random_() % below; }

  // Around `size` characters, common words more often than rare ones.
  std::string prose(std::uint64_t size) {
    std::string text;
    const std::uint64_t length = size / 2 + number(size);
    while (text.size() < length) {
      text += words_[rank()] + (number(9) == 0 ? ". " : " ");
    }
    return text;
  }
  std::string lines(std::uint64_t count, std::uint64_t width = 90) {
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) text += prose(width) + "\n";
    return text;
  }
  std::string hex(int digits) {
    std::string text;
    for (int i = 0; i < digits; ++i) text += "0123456789abcdef"[number(16)];
    return text;
  }
  std::string uuid() {
    return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
  }

 private:
  std::uint64_t rank() {
    if (law_ == Law::common_and_rare) return number(number(10) < 7 ? 300 : words_.size());
    const double share = std::generate_canonical<double, 53>(random_);
    return static_cast<std::uint64_t>(std::pow(static_cast<double>(words_.size()), share)) - 1;
  }

  std::string make_word() {
    std::string word;
    for (std::uint64_t i = 0; i < 2 + number(9); ++i) word += static_cast<char>('a' + number(26));
    return word;
  }

  std::mt19937_64 random_;
  Law law_;
  std::vector<std::string> words_;
};

}  // namespace weft::bench
