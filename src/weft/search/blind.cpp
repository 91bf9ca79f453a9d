#include "weft/search/blind.hpp"

#include <algorithm>
#include <functional>

#include "weft/crypto/blake3.hpp"

namespace weft::search {
namespace {

// In the order of ASCII.
constexpr std::string_view kAlphabet =
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
static_assert(kAlphabet.size() == 64);

}  // namespace

BlindTerm blind(const crypto::LayerKey& key, std::string_view term) {
  const Digest digest = crypto::blake3_keyed(key.index_terms(), {term});
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof bits; ++i) bits = bits << 8 | digest[i];
  BlindTerm blind;
  for (char& c : blind) {
    c = kAlphabet[bits >> 58];
    bits <<= 6;
  }
  return blind;
}

BlindTerm Blinder::operator()(const crypto::LayerKey& key, std::string_view term) {
  if (term.size() > kMaxWord) return blind(key, term);
  Word& word = words_[std::hash<std::string_view>()(term) % kWords];
  if (word.size == 0 || std::string_view(word.text.data(), word.size) != term) {
    word.size = static_cast<std::uint8_t>(term.size());
    std::ranges::copy(term, word.text.begin());
    word.blind = blind(key, term);
  }
  return word.blind;
}

}  // namespace weft::search
