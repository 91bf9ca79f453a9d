#include "weft/net/http_request.hpp"

#include <gtest/gtest.h>

namespace weft::net {
namespace {

const std::string kPost =
    "POST /mcp HTTP/1.1\r\nHost: localhost:1\r\nMCP-Method:  ping \r\nContent-Length: "
    "4\r\n\r\nbody";
const std::string kChunked =
    "POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    "2;x=y\r\nbo\r\n2\r\ndy\r\n0\r\nHost: evil\r\n\r\n";

RequestReader small() { return {256, 16}; }

// All of `bytes`, as a connection hands them in. What is left over comes back.
std::string feed(RequestReader& reader, std::string bytes) {
  for (std::size_t taken = 1; taken > 0 && !reader.is_complete();) {
    taken = reader.take(bytes);
    bytes.erase(0, taken);
  }
  return bytes;
}

unsigned status_of(const std::string& bytes) {
  RequestReader reader = small();
  feed(reader, bytes);
  return reader.refusal() ? reader.refusal()->status : 0;
}

TEST(RequestReader, ReadsHeadAndBodyAndLeavesTheNextRequestAlone) {
  RequestReader reader = small();
  EXPECT_EQ(feed(reader, kPost + "POST /next"), "POST /next");
  ASSERT_TRUE(reader.is_complete());
  EXPECT_EQ(reader.head().method, "POST");
  EXPECT_EQ(reader.head().target, "/mcp");
  EXPECT_EQ(*reader.head().find("mcp-method"), "ping");
  EXPECT_EQ(reader.head().find("accept"), std::nullopt);
  EXPECT_EQ(reader.head().content_length, 4u);
  EXPECT_TRUE(reader.head().keeps_alive);
  EXPECT_EQ(reader.body(), "body");
}

TEST(RequestReader, ReadsTheSameByteForByte) {
  for (const std::string& bytes : {kPost, kChunked}) {
    RequestReader reader = small();
    std::string in;
    for (const char byte : bytes) {
      EXPECT_FALSE(reader.is_complete());
      in += byte;
      while (const std::size_t taken = reader.take(in)) in.erase(0, taken);
    }
    ASSERT_TRUE(reader.is_complete());
    EXPECT_EQ(reader.body(), "body");
    EXPECT_EQ(in, "");
  }
}

TEST(RequestReader, StopsAfterTheHeadSoThatItCanBeRefusedBeforeItsBody) {
  RequestReader reader = small();
  const std::size_t taken = reader.take(kPost);
  EXPECT_EQ(kPost.substr(taken), "body");
  EXPECT_TRUE(reader.has_head());
  EXPECT_FALSE(reader.is_complete());
}

TEST(RequestReader, DoesNotTakeFieldsAfterTheBodyForThoseOfTheHead) {
  RequestReader reader = small();
  feed(reader, kChunked);
  ASSERT_TRUE(reader.is_complete());
  EXPECT_EQ(reader.head().count("host"), 1u);
  EXPECT_EQ(*reader.head().find("host"), "a");
}

TEST(RequestReader, IsCompleteWithTheHeadWhereThereIsNoBody) {
  RequestReader reader = small();
  EXPECT_EQ(feed(reader, "\r\nGET /healthz HTTP/1.0\r\n\r\n"), "");
  ASSERT_TRUE(reader.is_complete());
  EXPECT_TRUE(reader.head().is_http_1_0);
  EXPECT_FALSE(reader.head().keeps_alive);
}

TEST(RequestReader, HasNotBegunWithALineEndThatBelongsToNoRequest) {
  RequestReader reader = small();
  EXPECT_EQ(reader.take("\r\n\r\n\r"), 4u);
  EXPECT_FALSE(reader.has_begun());
  EXPECT_EQ(reader.take("\r\nG"), 2u);
  EXPECT_TRUE(reader.has_begun());
}

TEST(RequestReader, RefusesTwoWaysToTellTheLengthSinceProxiesDiffer) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(status_of(head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            400u);
  EXPECT_EQ(status_of(head + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
            400u);
  EXPECT_EQ(status_of(head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n"), 400u);
  EXPECT_EQ(status_of(head + "Content-Length: -5\r\n\r\n"), 400u);
}

TEST(RequestReader, RefusesWhatIsNoRequest) {
  EXPECT_EQ(status_of("hello there\r\n\r\n"), 400u);
  EXPECT_EQ(status_of("\x16\x03\x01\x02\x00\x01\r\n\r\n"), 400u);  // TLS says hello like this
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\n\r\n"), 505u);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nno colon\r\n\r\n"), 400u);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 400u);
}

TEST(RequestReader, RefusesAHeadBeyondItsLimitBeforeItEnds) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX: " + std::string(300, 'x')), 431u);
  EXPECT_EQ(status_of("GET /" + std::string(300, 'x')), 431u);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX: " + std::string(200, 'x')), 0u);
}

TEST(RequestReader, RefusesABodyBeyondItsLimitHoweverItComes) {
  const std::string head = "POST / HTTP/1.1\r\n";
  EXPECT_EQ(status_of(head + "Content-Length: 17\r\n\r\n" + std::string(17, 'x')), 413u);
  EXPECT_EQ(status_of(head + "Content-Length: 16\r\n\r\n" + std::string(16, 'x')), 0u);
  EXPECT_EQ(status_of(head + "Transfer-Encoding: chunked\r\n\r\n10\r\n" + std::string(16, 'x') +
                      "\r\n1\r\nx\r\n"),
            413u);
}

TEST(RequestReader, Security13KnowsNoTransferCodingButChunked) {
  const auto with = [](const std::string& fields, const std::string& version = "1.1") {
    return "POST /mcp HTTP/" + version + "\r\nHost: a\r\n" + fields + "\r\n0\r\n\r\n";
  };
  EXPECT_EQ(status_of(with("Transfer-Encoding: Chunked\r\n")), 0u);
  for (const char* coding :
       {"xchunked", "identity", "chunked, identity", "gzip, chunked", "gzip"}) {
    EXPECT_EQ(status_of(with("Transfer-Encoding: " + std::string(coding) + "\r\n")), 400u)
        << coding;
  }
  EXPECT_EQ(status_of(with("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n")), 400u);
  EXPECT_EQ(status_of(with("Transfer-Encoding: chunked\r\n", "1.0")), 400u);
}

}  // namespace
}  // namespace weft::net
