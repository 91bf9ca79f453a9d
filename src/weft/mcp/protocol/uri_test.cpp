#include "weft/mcp/protocol/uri.hpp"

#include <gtest/gtest.h>

namespace weft::mcp {
namespace {

constexpr std::string_view kThought = "weft://thought/{cid}";

TEST(Uri, GivesWhatStandsForTheVariable) {
  EXPECT_EQ(match_uri(kThought, "weft://thought/3f2a"), "3f2a");
  EXPECT_EQ(match_uri(kThought, "weft://thought/cid%3Ablake3%3a3f"), "cid:blake3:3f");
  EXPECT_EQ(match_uri("test://a/{id}/data", "test://a/123/data"), "123");
  EXPECT_EQ(match_uri("test://one", "test://one"), "");
}

TEST(Uri, IsNotOfAFormThatItHasNot) {
  for (const char* uri : {"weft://thought/", "weft://thought", "weft://thought/a/b", "",
                          "weft://thought/%4", "weft://thought/%zz", "file:///etc/passwd",
                          "weft://conversation/3f2a", "WEFT://thought/3f2a"}) {
    EXPECT_EQ(match_uri(kThought, uri), std::nullopt) << uri;
  }
  EXPECT_EQ(match_uri("test://a/{id}/data", "test://a/data"), std::nullopt);
  EXPECT_EQ(match_uri("test://one", "test://one/"), std::nullopt);
}

TEST(Uri, DecodesATraversalIntoAValueThatIsNoPath) {
  EXPECT_EQ(match_uri(kThought, "weft://thought/..%2F..%2Fetc"), "../../etc");
}

TEST(Uri, ExpandsToWhatMatches) {
  EXPECT_EQ(expand_uri(kThought, "a b/ä"), "weft://thought/a%20b%2F%C3%A4");
  EXPECT_EQ(match_uri(kThought, expand_uri(kThought, "a b/ä")), "a b/ä");
}

}  // namespace
}  // namespace weft::mcp
