#include "weft/net/http_response.hpp"

#include <gtest/gtest.h>

namespace weft::net {
namespace {

TEST(HttpResponse, IsWrittenWithItsLength) {
  EXPECT_EQ(to_bytes({.body = "{\"id\":1}"}, Afterwards::keep),
            "HTTP/1.1 200 OK\r\n"
            "Cache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Connection: keep-alive\r\n"
            "Content-Type: application/json\r\n"
            "Content-Length: 8\r\n"
            "\r\n"
            "{\"id\":1}");
}

TEST(HttpResponse, WithoutABodyHasNoType) {
  EXPECT_EQ(to_bytes({.status = 202}, Afterwards::close),
            "HTTP/1.1 202 Accepted\r\n"
            "Cache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Connection: close\r\n"
            "Content-Length: 0\r\n"
            "\r\n");
}

TEST(HttpResponse, ToHeadTellsTheLengthOfWhatItLeavesOut) {
  const std::string head = head_bytes({.body = "12345"}, Afterwards::keep);
  EXPECT_NE(head.find("Content-Length: 5\r\n"), std::string::npos);
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

TEST(HttpResponse, OfARefusalIsAPlainLine) {
  const HttpResponse response = to_response(HttpRefusal{405, "not so", {{"Allow", "POST"}}});
  EXPECT_EQ(response.body, "weft: not so\n");
  const std::string bytes = to_bytes(response, Afterwards::close);
  EXPECT_TRUE(bytes.starts_with("HTTP/1.1 405 Method Not Allowed\r\n"));
  EXPECT_NE(bytes.find("\r\nAllow: POST\r\n"), std::string::npos);
  EXPECT_NE(bytes.find("\r\nContent-Type: text/plain; charset=utf-8\r\n"), std::string::npos);
}

TEST(HttpStream, BeginsWithAHeadThatKeepsProxiesFromHoldingItBack) {
  EXPECT_EQ(stream_head(Framing::chunked, Afterwards::keep),
            "HTTP/1.1 200 OK\r\n"
            "Cache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Connection: keep-alive\r\n"
            "Content-Type: text/event-stream\r\n"
            "X-Accel-Buffering: no\r\n"
            "Transfer-Encoding: chunked\r\n"
            "\r\n");
  EXPECT_EQ(stream_head(Framing::until_close, Afterwards::close).find("Transfer-Encoding"),
            std::string::npos);
}

TEST(HttpStream, FramesEventsAndChunks) {
  EXPECT_EQ(to_event("{}"), "data: {}\n\n");
  EXPECT_EQ(to_chunk("0123456789abcdef"), "10\r\n0123456789abcdef\r\n");
  EXPECT_EQ(to_chunk(""), "");
}

}  // namespace
}  // namespace weft::net
