#include "weft/net/endpoint.hpp"

#include <gtest/gtest.h>

namespace weft::net {
namespace {

TEST(Authority, IsANameAndPerhapsAPort) {
  EXPECT_EQ(parse_authority("LocalHost"), (Authority{"localhost", {}}));
  EXPECT_EQ(parse_authority("a.example:8443"), (Authority{"a.example", 8443}));
  EXPECT_EQ(parse_authority("[::1]"), (Authority{"::1", {}}));
  EXPECT_EQ(parse_authority("[FE80::1]:80"), (Authority{"fe80::1", 80}));
}

TEST(Authority, IsNothingElse) {
  for (const char* text :
       {"",       ":80",    "a:",     "a:b",   "a:80:80",     "a:65536",       "a:-1",
        "a:+1",   "a b",    "a/b",    "u@a",   "::1",         "[::1",          "[]",
        "[::1]x", "[::1]:", "[evil]", "a,b",   "[127.0.0.1]", "localhost:80 ", "h\xc3\xa9ron",
        "[abc]",  "a]:80",  "a[::1]", "[::1]]"}) {
    EXPECT_EQ(parse_authority(text), std::nullopt) << text;
  }
  EXPECT_TRUE(parse_authority(std::string(255, 'a')));
  EXPECT_FALSE(parse_authority(std::string(256, 'a')));
}

TEST(Url, IsReadAsPeopleTypeIt) {
  EXPECT_EQ(Url::parse("https://api.anthropic.com").value(),
            (Url{.is_tls = true, .host = "api.anthropic.com", .port = 443}));
  EXPECT_EQ(Url::parse("https://api.anthropic.com/").value().prefix, "");
  EXPECT_EQ(Url::parse("http://127.0.0.1:8080/gate/way/").value(),
            (Url{.is_tls = false, .host = "127.0.0.1", .port = 8080, .prefix = "/gate/way"}));
  EXPECT_EQ(Url::parse("http://[::1]:81").value(),
            (Url{.is_tls = false, .host = "::1", .port = 81}));
  EXPECT_EQ(Url::parse("http://a.example").value().port, 80);
}

TEST(Url, NamesItsHostAsTheFieldDoes) {
  EXPECT_EQ(Url::parse("https://a.example:443").value().authority(), "a.example");
  EXPECT_EQ(Url::parse("http://a.example:443").value().authority(), "a.example:443");
  EXPECT_EQ(Url::parse("https://[::1]:81").value().authority(), "[::1]:81");
}

TEST(Url, RefusesAllElse) {
  for (const char* wrong : {"", "api.anthropic.com", "ftp://x", "https://", "https://user:pw@x",
                            "https://x:0", "https://x:99999", "https://x:", "https://x y",
                            "https://x/?q", "https://[::1", "https://a:b:c", "https://[::1]x"}) {
    const auto url = Url::parse(wrong);
    ASSERT_FALSE(url) << wrong;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_input) << wrong;
  }
}

TEST(Host, IsLoopbackByNameOrNumber) {
  for (const char* own : {"localhost", "127.0.0.2", "::1"}) EXPECT_TRUE(is_loopback(own)) << own;
  for (const char* other : {"localhost.example", "10.0.0.1", "::", "fe80::1", "::ffff:127.0.0.1"}) {
    EXPECT_FALSE(is_loopback(other)) << other;
  }
}

TEST(Host, IsAnAddressOnlyAsNumbers) {
  for (const char* address : {"127.0.0.1", "0.0.0.0", "::", "fe80::1"}) {
    EXPECT_TRUE(is_address(address)) << address;
  }
  for (const char* name : {"localhost", "127.1", "256.0.0.1", "", "[::1]"}) {
    EXPECT_FALSE(is_address(name)) << name;
  }
}

}  // namespace
}  // namespace weft::net
