// Blind terms: how sealed text is indexed. A term becomes kBlindChars characters of its BLAKE3,
// keyed with the layer's key for index terms. With the key it can be looked for; without it
// nothing tells what it was, nor that the same word stands in the other layer.
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
// Blinds term after term under one key. Words come again and again: those of late are
// remembered, and cost no hash.
class Blinder {
 public:
  // The same key every time.
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
