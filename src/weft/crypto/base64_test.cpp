#include "weft/crypto/base64.hpp"

#include <gtest/gtest.h>

namespace weft::crypto {
namespace {

std::string base64(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

TEST(Base64, GivesTheVectorsOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xef\xbe"), "/+++");
}

TEST(Base64, ReadsBackEveryByteInEveryPlaceAndLength) {
  std::string bytes;
  for (int i = 0; i < 1024; ++i) {
    ASSERT_EQ(parse_base64(base64(bytes)), bytes) << i;
    bytes += static_cast<char>(i * 37 + i / 256);
  }
}

TEST(Base64, AppendsToWhatIsThere) {
  std::string out = "xc20p:";
  append_base64(out, "foo");
  EXPECT_EQ(out, "xc20p:Zm9v");
}

// Every text of four characters of each sort, alone and after a full group: what is
// read is written the same, so nothing else can have been read.
TEST(Base64, ReadsOneSpellingOnlySoThatOneBoxHasOneCid) {
  constexpr std::string_view kSorts("ABQgwxz09+/=-_ \n\0\xff", 18);
  int read = 0;
  for (const char a : kSorts) {
    for (const char b : kSorts) {
      for (const char c : kSorts) {
        for (const char d : kSorts) {
          for (const std::string_view head : {"", "Zm9v"}) {
            const std::string text = std::string(head) + a + b + c + d;
            const std::optional<std::string> bytes = parse_base64(text);
            if (!bytes) continue;
            ++read;
            ASSERT_EQ(base64(*bytes), text);
          }
        }
      }
    }
  }
  // Eleven of these are digits. Before one '=' stands a digit that leaves two bits
  // zero (A, Q, g, w, 0), before two of them one that leaves four (A, Q, g, w).
  EXPECT_EQ(read, 2 * (11 * 11 * 11 * 11 + 11 * 11 * 5 + 11 * 4));
}

TEST(Base64, RefusesTextsThatAreNoWholeGroups) {
  for (const std::string_view text : {"Z", "Zg", "Zg=", "Zm9vY", "Zm9vYg", "=", "==", "===", "====",
                                      "Zg==Zg==", "Zg==\n", " Zg==", "Z===", "Zh==", "Zm9="}) {
    EXPECT_FALSE(parse_base64(text)) << text;
  }
}

}  // namespace
}  // namespace weft::crypto
