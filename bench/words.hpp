// Words to fill corpora with, from a seed: common ones more often than rare ones.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace weft::bench {

class Words {
 public:
  explicit Words(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 5000; ++i) words_.push_back(make_word());
  }

  std::uint64_t number(std::uint64_t below) { return random_() % below; }

  // Around `size` characters, common words more often than rare ones.
  std::string prose(std::uint64_t size) {
    std::string text;
    const std::uint64_t length = size / 2 + number(size);
    while (text.size() < length) {
      const std::uint64_t reach = number(10) < 7 ? 300 : words_.size();
      text += words_[number(reach)] + (number(9) == 0 ? ". " : " ");
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
  std::string make_word() {
    std::string word;
    for (std::uint64_t i = 0; i < 2 + number(9); ++i) word += static_cast<char>('a' + number(26));
    return word;
  }

  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

}  // namespace weft::bench
