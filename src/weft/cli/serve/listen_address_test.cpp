#include "weft/cli/serve/listen_address.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

TEST(ListenAddress, IsAnAddressAndPerhapsAPort) {
  EXPECT_EQ(parse_listen_address("127.0.0.1:80"), (ListenAddress{"127.0.0.1", 80, true}));
  EXPECT_EQ(parse_listen_address("localhost"), (ListenAddress{"127.0.0.1", 4737, true}));
  EXPECT_EQ(parse_listen_address("[::1]:0"), (ListenAddress{"::1", 0, true}));
  for (const char* text : {"", "example.org:80", "4737", ":4737", "::1", "127.1", "127.0.0.1:x",
                           "[127.0.0.1]:80", "256.0.0.1"}) {
    EXPECT_EQ(parse_listen_address(text), std::nullopt) << text;
  }
}

TEST(ListenAddress, KnowsWhereOthersCanGetAt) {
  EXPECT_TRUE(parse_listen_address("127.9.9.9")->is_loopback);
  for (const char* text : {"0.0.0.0", "192.168.1.5:4737", "[::]:4737", "[fe80::1]", "128.0.0.1",
                           "[::ffff:127.0.0.1]"}) {
    EXPECT_FALSE(parse_listen_address(text)->is_loopback) << text;
  }
}

TEST(ListenAddress, HasAUrl) {
  EXPECT_EQ(parse_listen_address("127.0.0.1:0")->url(5000), "http://127.0.0.1:5000/mcp");
  EXPECT_EQ(parse_listen_address("[::1]")->url(4737), "http://[::1]:4737/mcp");
}

}  // namespace
}  // namespace weft::cli
