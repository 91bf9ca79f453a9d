#include "weft/crypto/blake3_stream.hpp"

#include <gtest/gtest.h>

#include "weft/crypto/blake3.hpp"

namespace weft::crypto {
namespace {

TEST(Blake3Stream, GivesTheSameHashWhateverThePieces) {
  const std::string text(100'000, 'x');
  for (const std::size_t piece : {1u, 64u, 1'000u, 100'000u}) {
    Blake3Stream hash;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      hash.add(std::string_view(text).substr(at, piece));
    }
    EXPECT_EQ(hash.digest(), blake3(text)) << piece;
  }
  EXPECT_EQ(Blake3Stream().digest(), blake3(""));
}

}  // namespace
}  // namespace weft::crypto
