#include "weft/capture/proxy/upstream.hpp"

#include <gtest/gtest.h>

namespace weft::capture {
namespace {

TEST(UpstreamUrl, IsReadAsPeopleTypeIt) {
  EXPECT_EQ(UpstreamUrl::parse("https://api.anthropic.com").value(),
            (UpstreamUrl{.is_tls = true, .host = "api.anthropic.com", .port = 443}));
  EXPECT_EQ(UpstreamUrl::parse("https://api.anthropic.com/").value().prefix, "");
  EXPECT_EQ(
      UpstreamUrl::parse("http://127.0.0.1:8080/gate/way/").value(),
      (UpstreamUrl{.is_tls = false, .host = "127.0.0.1", .port = 8080, .prefix = "/gate/way"}));
  EXPECT_EQ(UpstreamUrl::parse("http://[::1]:81").value(),
            (UpstreamUrl{.is_tls = false, .host = "::1", .port = 81}));
}

TEST(UpstreamUrl, NamesItsHostAsTheFieldDoes) {
  EXPECT_EQ(UpstreamUrl::parse("https://a.example:443").value().authority(), "a.example");
  EXPECT_EQ(UpstreamUrl::parse("http://a.example:443").value().authority(), "a.example:443");
  EXPECT_EQ(UpstreamUrl::parse("https://[::1]:81").value().authority(), "[::1]:81");
}

TEST(UpstreamUrl, KnowsThisMachine) {
  for (const char* own : {"http://localhost", "http://127.0.0.2:1", "http://[::1]"}) {
    EXPECT_TRUE(UpstreamUrl::parse(own).value().is_loopback()) << own;
  }
  for (const char* other : {"http://localhost.example", "http://10.0.0.1"}) {
    EXPECT_FALSE(UpstreamUrl::parse(other).value().is_loopback()) << other;
  }
}

TEST(UpstreamUrl, RefusesAllElse) {
  for (const char* wrong : {"", "api.anthropic.com", "ftp://x", "https://", "https://user:pw@x",
                            "https://x:0", "https://x:99999", "https://x:", "https://x y",
                            "https://x/?q", "https://[::1", "https://a:b:c", "https://[::1]x"}) {
    const auto url = UpstreamUrl::parse(wrong);
    ASSERT_FALSE(url) << wrong;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_input) << wrong;
  }
}

}  // namespace
}  // namespace weft::capture
