#include "weft/net/hosts.hpp"

#include <gtest/gtest.h>

namespace weft::net {
namespace {

const std::string kLocal = "127.0.0.1";

TEST(Hosts, AllowLoopbackByItsNamesWithoutAPortOrWithOurs) {
  const Hosts hosts(4737, {});
  for (const char* host :
       {"localhost", "LOCALHOST:4737", "127.0.0.1:4737", "127.0.0.1", "[::1]", "[::1]:4737"}) {
    EXPECT_TRUE(hosts.allow_host(host, kLocal)) << host;
  }
}

TEST(Hosts, RefuseEveryOtherNameBecauseAnyNameCanBeMadeToLeadHere) {
  const Hosts hosts(4737, {});
  for (const char* host :
       {"evil.example", "evil.example:4737", "localhost.evil.example:4737", "localhost:80",
        "evil-localhost", "localhost.", "127.0.0.1.evil.example", "127.0.0.2", "0.0.0.0", "",
        "localhost:4737@evil.example", "192.168.1.5:4737"}) {
    EXPECT_FALSE(hosts.allow_host(host, kLocal)) << host;
  }
}

TEST(Hosts, AllowTheAddressThatWasReached) {
  const Hosts hosts(4737, {});
  EXPECT_TRUE(hosts.allow_host("192.168.1.5:4737", "192.168.1.5"));
  EXPECT_TRUE(hosts.allow_origin("http://192.168.1.5:4737", "192.168.1.5"));
  EXPECT_FALSE(hosts.allow_host("192.168.1.5:4737", "192.168.1.50"));
  EXPECT_TRUE(hosts.allow_host("[fe80::1]:4737", "fe80::1"));
  EXPECT_FALSE(hosts.allow_host("[fe80::1]:4737", "fe80::12"));
  EXPECT_FALSE(hosts.allow_host("[fe80::12]:4737", "fe80::1"));
}

TEST(Hosts, AllowTheNamesTheyWereGiven) {
  const Hosts hosts(4737, {"Weft.example", "other.example:8443", "not a name"});
  EXPECT_TRUE(hosts.allow_host("weft.example", kLocal));
  EXPECT_TRUE(hosts.allow_host("weft.example:4737", kLocal));
  EXPECT_FALSE(hosts.allow_host("weft.example:80", kLocal));
  EXPECT_FALSE(hosts.allow_host("a.weft.example", kLocal));
  EXPECT_TRUE(hosts.allow_host("other.example:8443", kLocal));
  EXPECT_FALSE(hosts.allow_host("other.example:4737", kLocal));
  EXPECT_FALSE(hosts.allow_host("not a name", kLocal));
}

TEST(Hosts, AllowLoopbackAtAnotherPortWhereTheyWereTold) {
  const Hosts hosts(4737, {"localhost:8080"});
  EXPECT_TRUE(hosts.allow_host("localhost:8080", kLocal));
  EXPECT_TRUE(hosts.allow_origin("http://localhost:8080", kLocal));
  EXPECT_FALSE(hosts.allow_host("127.0.0.1:8080", kLocal));
}

TEST(Hosts, AllowAnOriginOnlyWithOurPort) {
  const Hosts hosts(4737, {});
  EXPECT_TRUE(hosts.allow_origin("http://localhost:4737", kLocal));
  EXPECT_TRUE(hosts.allow_origin("https://127.0.0.1:4737", kLocal));
  EXPECT_TRUE(hosts.allow_origin("HTTP://[::1]:4737", kLocal));
  EXPECT_FALSE(hosts.allow_origin("http://localhost", kLocal));
  EXPECT_FALSE(hosts.allow_origin("http://localhost:3000", kLocal));
  EXPECT_TRUE(Hosts(80, {}).allow_origin("http://localhost", kLocal));
  EXPECT_FALSE(Hosts(80, {}).allow_origin("https://localhost", kLocal));
}

TEST(Hosts, RefuseOriginsThatAreNotOurs) {
  const Hosts hosts(4737, {});
  for (const char* origin :
       {"null", "", "http://", "http://evil.example", "http://evil.example:4737",
        "http://localhost.evil.example:4737", "http://localhost:4737/", "localhost:4737",
        "file://localhost:4737", "http:/localhost:4737", "http://u@localhost:4737",
        "chrome-extension://localhost:4737", "http://localhost:4737 http://evil.example"}) {
    EXPECT_FALSE(hosts.allow_origin(origin, kLocal)) << origin;
  }
}

TEST(Hosts, AllowOriginsOfAProxyBeforeThem) {
  const Hosts hosts(4737, {"weft.example", "other.example:8443"});
  EXPECT_TRUE(hosts.allow_origin("https://weft.example", kLocal));
  EXPECT_TRUE(hosts.allow_origin("https://weft.example:443", kLocal));
  EXPECT_TRUE(hosts.allow_origin("http://weft.example:4737", kLocal));
  EXPECT_FALSE(hosts.allow_origin("https://weft.example:8443", kLocal));
  EXPECT_TRUE(hosts.allow_origin("https://other.example:8443", kLocal));
  EXPECT_FALSE(hosts.allow_origin("https://other.example", kLocal));
}

}  // namespace
}  // namespace weft::net
