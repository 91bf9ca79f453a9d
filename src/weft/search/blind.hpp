// Blind terms: the index form of sealed text. A term becomes kBlindChars characters of its BLAKE3
// hash, keyed with the layer's key for index terms. With the key it can be searched; without it
// nothing reveals the word, nor that the same word is in the other layer.
//
// The characters are in the order of ASCII, so that blind terms sort as their hashes do.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/crypto/layers.hpp"

namespace weft::search {

inline constexpr std::size_t kBlindChars = 10;  // 6 bits each
using BlindTerm = std::array<char, kBlindChars>;

BlindTerm blind(const crypto::LayerKey& key, std::string_view term);
// Blinds terms under one key. Recent words are cached, because words repeat.
class Blinder {
 public:
  // `key` must be the same in every call.
  BlindTerm operator()(const crypto::LayerKey& key, std::string_view term);

 private:
  static constexpr std::size_t kMaxWord = 21, kWords = 4096;
  struct Word {
    std::uint8_t size = 0;
    std::array<char, kMaxWord> text;
    BlindTerm blind;
  };

  std::vector<Word> words_ = std::vector<Word>(kWords);  // each where its hash says
};

inline std::string_view text_of(const BlindTerm& term) { return {term.data(), term.size()}; }

}  // namespace weft::search
