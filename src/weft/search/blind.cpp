#include "weft/search/blind.hpp"

#include <cstdint>

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

}  // namespace weft::search
