#include "weft/page/site/target.hpp"

#include <gtest/gtest.h>

namespace weft::page {
namespace {

TEST(Target, IsAPathAndAQuery) {
  EXPECT_EQ(split_target("/api/search?q=a%20b").path, "/api/search");
  EXPECT_EQ(split_target("/api/search?q=a?b").query, "q=a?b");
  EXPECT_EQ(split_target("/").query, "");
}

TEST(Target, OpenPartOfAPathIsUnescaped) {
  EXPECT_EQ(match_path("/api/thoughts/{cid}", "/api/thoughts/cid:blake3:3f"), "cid:blake3:3f");
  EXPECT_EQ(match_path("/api/thoughts/{cid}", "/api/thoughts/cid%3Ablake3%3a3f"), "cid:blake3:3f");
  EXPECT_EQ(match_path("/api/thoughts/{cid}/why", "/api/thoughts/3f/why"), "3f");
  EXPECT_EQ(match_path("/api/hello", "/api/hello"), "");
}

TEST(Target, PathsThatDoNotMatchAreRefused) {
  for (const char* path :
       {"/api/thoughts/", "/api/thoughts", "/api/thoughts/a/b", "/api/thoughtsx/a",
        "/api/thoughts/%", "/api/thoughts/%4", "/api/thoughts/%zz", "/api/thoughts/%ff"}) {
    EXPECT_FALSE(match_path("/api/thoughts/{cid}", path)) << path;
  }
  EXPECT_FALSE(match_path("/api/thoughts/{cid}/why", "/api/thoughts/why"));
  EXPECT_FALSE(match_path("/api/hello", "/api/hello/"));
}

TEST(Target, ArgumentsAreDecodedAndGivenOnce) {
  const auto read = read_query("q=a+b%26c&sealed&empty=&&limit=3");
  ASSERT_TRUE(read);
  EXPECT_EQ(canonical_json(*read), R"({"empty":"","limit":"3","q":"a b&c","sealed":"true"})");
  EXPECT_FALSE(read_query("q=1&q=2"));
  EXPECT_FALSE(read_query("q=%ff"));
  EXPECT_FALSE(read_query("%=1"));
}

}  // namespace
}  // namespace weft::page
