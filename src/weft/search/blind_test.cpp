#include "weft/search/blind.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "weft/crypto/blake3.hpp"

namespace weft::search {
namespace {

crypto::LayerKey layer_key(std::uint8_t filled_with) {
  std::array<std::uint8_t, crypto::Key::kSize> bytes;
  bytes.fill(filled_with);
  return crypto::LayerKey(crypto::Key(bytes));
}

std::string blinded(const crypto::LayerKey& key, std::string_view term) {
  return std::string(text_of(blind(key, term)));
}

// The expected text was computed by another implementation of BLAKE3.
TEST(Blind, IsWhatItWasSoThatAnIndexStaysReadable) {
  EXPECT_EQ(blinded(layer_key(0x11), "cat"), "nIYTOpPBY8");
}

TEST(Blind, DiffersByTermAndByKey) {
  const crypto::LayerKey metadata = layer_key(0x11), content = layer_key(0x22);
  EXPECT_EQ(blinded(metadata, "cat"), blinded(metadata, "cat"));
  EXPECT_NE(blinded(metadata, "cat"), blinded(metadata, "cats"));
  EXPECT_NE(blinded(metadata, "cat"), blinded(content, "cat"));
}

TEST(Blind, SortsAsTheHashesDo) {
  const crypto::LayerKey key = layer_key(0x33);
  std::vector<std::pair<std::string, Digest>> terms;
  for (int i = 0; i < 1000; ++i) {
    const std::string term = std::to_string(i);
    terms.emplace_back(blinded(key, term), crypto::blake3_keyed(key.index_terms(), {term}));
  }
  std::ranges::sort(terms);
  EXPECT_TRUE(std::ranges::is_sorted(terms, {}, &std::pair<std::string, Digest>::second));
}

TEST(Blinder, SaysOfEveryTermWhatItsHashSays) {
  const crypto::LayerKey key = layer_key(0x44);
  Blinder blinder;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 10'000; ++i) {  // more than it remembers
      const std::string term = "term" + std::to_string(i);
      ASSERT_EQ(blinder(key, term), blind(key, term)) << term;
    }
  }
  for (const std::size_t size : {0u, 1u, 20u, 21u, 22u, 200u}) {
    const std::string term(size, 'x');
    EXPECT_EQ(blinder(key, term), blind(key, term)) << size;
    EXPECT_EQ(blinder(key, term), blind(key, term)) << size << ", remembered";
  }
}

}  // namespace
}  // namespace weft::search
