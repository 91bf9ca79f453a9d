#include "weft/base/hex.hpp"

#include <gtest/gtest.h>

#include <array>

namespace weft {
namespace {

TEST(Hex, WritesTwoLowerCaseDigitsForEachByte) {
  EXPECT_EQ(to_hex({}), "");
  EXPECT_EQ(to_hex(std::array<std::uint8_t, 4>{0x00, 0x0F, 0xA5, 0xFF}), "000fa5ff");
  std::string out = "x:";
  append_hex(out, std::array<std::uint8_t, 1>{0x42});
  EXPECT_EQ(out, "x:42");
}

TEST(Hex, ReadsBackEveryByte) {
  std::array<std::uint8_t, 256> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  std::array<std::uint8_t, 256> back{};
  ASSERT_TRUE(parse_hex(to_hex(bytes), back));
  EXPECT_EQ(back, bytes);
}

TEST(Hex, RefusesAnyOtherSpellingSoThatOneValueHasOne) {
  std::array<std::uint8_t, 2> out{};
  for (const char* text :
       {"", "00", "000", "00000", "000000", "00FF", "0x00", "00 0", "000g", "-001"}) {
    EXPECT_FALSE(parse_hex(text, out)) << text;
  }
}

}  // namespace
}  // namespace weft
