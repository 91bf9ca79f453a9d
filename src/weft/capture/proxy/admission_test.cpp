#include "weft/capture/proxy/admission.hpp"

#include <gtest/gtest.h>

namespace weft::capture {
namespace {

bool is_accepted(const std::string& fields, const std::vector<std::string>& names = {},
                 const std::vector<std::string>& origins = {}) {
  const net::Hosts hosts(4738, names);
  const auto head =
      net::MessageHead::parse_request("POST /v1/messages HTTP/1.1\r\n" + fields + "\r\n");
  EXPECT_TRUE(head) << fields;
  return head && !find_refusal(*head, hosts, origins, "127.0.0.1");
}

TEST(Admission, ProgramsThatCallLoopbackAreAccepted) {
  EXPECT_TRUE(is_accepted("Host: 127.0.0.1:4738\r\n"));
  EXPECT_TRUE(is_accepted("Host: localhost:4738\r\n"));
  EXPECT_TRUE(is_accepted("Host: [::1]:4738\r\n"));
  EXPECT_TRUE(is_accepted("")) << "HTTP/1.0 clients send no Host, browsers always do";
  EXPECT_TRUE(is_accepted("Host: localhost:4738\r\nSec-Fetch-Mode: cors\r\n")) << "Node's fetch";
}

TEST(Admission, AHostThatIsNotOursIsRefusedBecauseAPageCanRebindItsName) {
  EXPECT_FALSE(is_accepted("Host: evil.example:4738\r\n"));
  EXPECT_FALSE(is_accepted("Host: localhost:4739\r\n"));
  EXPECT_FALSE(is_accepted("Host: \r\n"));
  EXPECT_FALSE(is_accepted("Host: localhost:4738\r\nHost: localhost:4738\r\n"));
}

TEST(Admission, WebPagesAreRefused) {
  const std::string host = "Host: 127.0.0.1:4738\r\n";
  for (const char* field :
       {"Origin: http://evil.example", "Origin: null", "Origin: http://localhost:3000",
        "origin: ", "Origin: http://127.0.0.1:4738\r\nOrigin: http://evil.example",
        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"}) {
    EXPECT_FALSE(is_accepted(host + field + "\r\n")) << field;
  }
  EXPECT_TRUE(is_accepted(host + "Sec-Fetch-Site: none\r\n")) << "an address that was typed in";
}

TEST(Admission, APageThatCameFromHereIsAccepted) {
  EXPECT_TRUE(
      is_accepted("Host: 127.0.0.1:4738\r\nOrigin: http://127.0.0.1:4738\r\n"
                  "Sec-Fetch-Site: same-origin\r\n"));
}

TEST(Admission, NamesThatTheUserGaveAreAccepted) {
  EXPECT_TRUE(is_accepted("Host: host.docker.internal:4738\r\n", {"host.docker.internal"}));
  EXPECT_TRUE(
      is_accepted("Host: localhost:4738\r\nOrigin: http://localhost:3000\r\n"
                  "Sec-Fetch-Site: same-site\r\n",
                  {"localhost:3000"}));
  EXPECT_FALSE(
      is_accepted("Host: localhost:4738\r\nOrigin: http://localhost:3001\r\n", {"localhost:3000"}));
}

TEST(Admission, OriginsThatTheUserGaveAreAcceptedAndNoOthers) {
  const std::string host = "Host: localhost:4738\r\n";
  const std::vector<std::string> origins = {"app://notes", "http://localhost:3000"};
  EXPECT_TRUE(
      is_accepted(host + "Origin: app://notes\r\nSec-Fetch-Site: cross-site\r\n", {}, origins));
  EXPECT_TRUE(is_accepted(host + "Origin: http://localhost:3000\r\n", {}, origins));
  for (const char* origin :
       {"app://note", "app://notes.evil.example", "http://localhost:3001", "null"}) {
    EXPECT_FALSE(is_accepted(host + "Origin: " + origin + "\r\n", {}, origins)) << origin;
  }
  // An allowed origin does not make another Host ours.
  EXPECT_FALSE(is_accepted("Host: evil.example\r\nOrigin: app://notes\r\n", {}, origins));
}

}  // namespace
}  // namespace weft::capture
