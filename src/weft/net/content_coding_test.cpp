#include "weft/net/content_coding.hpp"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace weft::net {
namespace {

const std::string kWords = [] {
  std::string words;
  for (int i = 0; i < 400; ++i) words += "event number " + std::to_string(i * 7919) + "\n";
  return words;
}();

std::string deflated(std::string_view text, int bits) {
  z_stream stream{};
  ::deflateInit2(&stream, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::string zstandard(std::string_view text) {
  std::string out(::ZSTD_compressBound(text.size()), '\0');
  out.resize(::ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string decoded(std::string_view encoding, std::string_view bytes, std::size_t piece) {
  auto decoder = open_decoder(encoding);
  EXPECT_TRUE(decoder) << encoding;
  std::string out;
  for (; decoder && !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    EXPECT_TRUE((*decoder)->push(bytes.substr(0, piece), out, 1u << 20)) << encoding;
  }
  return out;
}

TEST(Decoding, EachEncodingInPiecesOfAnySize) {
  const std::string gzip = deflated(kWords, 16 + MAX_WBITS);
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 100u, 100'000u}) {
    EXPECT_EQ(decoded("", kWords, piece), kWords);
    EXPECT_EQ(decoded("identity", kWords, piece), kWords);
    EXPECT_EQ(decoded("gzip", gzip, piece), kWords) << piece;
    EXPECT_EQ(decoded("X-GZIP", gzip, piece), kWords) << piece;
    EXPECT_EQ(decoded("gzip", gzip + gzip, piece), kWords + kWords) << "two members";
    EXPECT_EQ(decoded("deflate", deflated(kWords, MAX_WBITS), piece), kWords) << piece;
    EXPECT_EQ(decoded("deflate", deflated(kWords, -MAX_WBITS), piece), kWords) << piece;
    EXPECT_EQ(decoded("zstd", zstandard(kWords), piece), kWords) << piece;
    EXPECT_EQ(decoded("zstd, gzip", deflated(zstandard(kWords), 16 + MAX_WBITS), piece), kWords);
  }
}

TEST(Decoding, Brotli) {
  // "brotli says hello" in one uncompressed meta-block, made by hand: window of 16 bits (a 0 bit),
  // not the last block, four nibbles of length 16, uncompressed; then the last, empty block.
  const std::string words = "brotli says hello";
  const std::uint32_t head = 0u | 0u << 1 | 0u << 2 | 16u << 4 | 1u << 20;
  std::string bytes;
  for (int i = 0; i < 3; ++i) bytes += static_cast<char>((head >> (8 * i)) & 0xff);
  bytes += words;
  bytes += '\x03';
  for (const std::size_t piece : {1u, 5u, 100u}) EXPECT_EQ(decoded("br", bytes, piece), words);
}

TEST(Decoding, WhatBreaksOffIsReadAsFarAsItCame) {
  const std::string gzip = deflated(kWords, 16 + MAX_WBITS);
  const std::string half = decoded("gzip", gzip.substr(0, gzip.size() / 2), 10);
  EXPECT_GT(half.size(), 100u);
  EXPECT_TRUE(kWords.starts_with(half));
}

TEST(Decoding, WhatIsNotEncodedSoIsRefused) {
  for (const char* encoding : {"gzip", "br", "zstd"}) {
    auto decoder = open_decoder(encoding);
    ASSERT_TRUE(decoder);
    std::string out;
    const Status status = (*decoder)->push("\xff\xff this is plain text", out, 1000);
    ASSERT_FALSE(status) << encoding;
    EXPECT_EQ(status.error().code, ErrorCode::invalid_input);
  }
  EXPECT_EQ(open_decoder("rot13").error().code, ErrorCode::invalid_input);
}

TEST(Decoding, ABodyThatGrowsBeyondTheLimitIsStopped) {
  const std::string bomb = deflated(std::string(10u << 20, '0'), 16 + MAX_WBITS);
  auto decoder = open_decoder("gzip");
  std::string out;
  EXPECT_FALSE((*decoder)->push(bomb, out, 1u << 20));
  EXPECT_LE(out.size(), 1u << 20);
}

}  // namespace
}  // namespace weft::net
