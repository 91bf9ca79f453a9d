// Ten thousand requests that nobody should send.
#include <random>

#include "weft/mcp/transports/http_for_test.hpp"

namespace weft::mcp {
namespace {

constexpr unsigned kSeed = 4737;
constexpr int kMany = 10'000;

class Spoiler {
 public:
  // A request, damaged in a few places.
  std::string next() {
    std::string bytes = whole();
    for (std::size_t times = 1 + any(4); times > 0 && !bytes.empty(); --times) spoil(bytes);
    return bytes;
  }

 private:
  std::size_t any(std::size_t below) { return random_() % below; }

  std::string whole() {
    switch (any(6)) {
      case 0: return legacy(1, "ping").bytes();
      case 1: return modern_call(2, "echo", "heron").bytes();
      case 2: return modern_call(3, "steps").bytes();
      case 3: return modern(4, "subscriptions/listen", R"(,"notifications":{})").bytes();
      case 4: return "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
      default:
        return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
               "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nTrailer: x\r\n\r\n";
    }
  }

  void spoil(std::string& bytes) {
    static const std::vector<std::string> kBits = {"\r\n",
                                                   "\r\n\r\n",
                                                   "\n",
                                                   "\r",
                                                   ":",
                                                   "\0",
                                                   "\xff\xfe",
                                                   "chunked",
                                                   "0\r\n\r\n",
                                                   "-1",
                                                   "99999999999",
                                                   "[[[[",
                                                   "\"",
                                                   "HTTP/9.9",
                                                   "Host: x\r\n",
                                                   "%00",
                                                   "\t ",
                                                   "{\"id\":1}",
                                                   "Expect: 100-continue\r\n"};
    const std::size_t at = any(bytes.size());
    switch (any(6)) {
      case 0: bytes.resize(at); break;
      case 1: bytes[at] = static_cast<char>(any(256)); break;
      case 2: bytes.insert(at, kBits[any(kBits.size())]); break;
      case 3: bytes.erase(at, 1 + any(20)); break;
      case 4: bytes.insert(at, bytes.substr(any(bytes.size()), 1 + any(200))); break;
      default: bytes.insert(at, std::string(any(5'000), static_cast<char>(any(256)))); break;
    }
  }

  std::mt19937 random_{kSeed};
};

TEST_F(HttpTest, AnswersOrClosesWhateverComesAndServesTheNextClient) {
  options.most_body_bytes = 2'000;
  begin();
  Spoiler spoiler;
  for (int i = 0; i < kMany; ++i) {
    RawClient client(port);
    ASSERT_TRUE(client.is_connected()) << i;
    client.send(spoiler.next());
    client.close_writing();
    // It ends in any case; if something was said, it was HTTP.
    client.read_until("there is no such answer");
    ASSERT_FALSE(client.is_late()) << i << " of seed " << kSeed;
    const std::string& said = client.unread();
    ASSERT_TRUE(said.empty() || said.starts_with("HTTP/1.1 ")) << i << " of seed " << kSeed;
  }
  EXPECT_EQ(ask(legacy(1, "ping").bytes()).status, 200u);
}

}  // namespace
}  // namespace weft::mcp
