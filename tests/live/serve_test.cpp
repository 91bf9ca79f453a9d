// weft serve: who may use it, and that others are served while one client does its worst. All loads
// are small, and stay on loopback.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <deque>

#include "serving_for_test.hpp"
#include "weft/net/another_user_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

bool is_answered(const std::string& answer) { return answer.starts_with("HTTP/1.1 200 "); }

TEST(Serve, Security5UxA3OnlyThePersonsOwnProgramsAndThoseWithTheTokenGetIn) {
  Weft weft;
  Serving serving(weft);
  EXPECT_TRUE(is_answered(serving.ask()));
  const std::string file = text(serving.said, "token_file");
  EXPECT_EQ(file, weft.home() / "serve.token");
  struct stat about{};
  ASSERT_EQ(::stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  std::string token = read_file(file).value();
  token.pop_back();
  std::string without, with;
  const bool ran = net::run_as_another_user([&] {
    without = serving.ask();
    with = serving.ask("Authorization: Bearer " + token + "\r\n");
  });
  EXPECT_THAT(serving.errors(), Not(HasSubstr(token)));
  EXPECT_THAT(serving.errors(), HasSubstr("your own programs on this machine"));
  // Passed on by a proxy, it is not the person's own request.
  EXPECT_THAT(serving.ask("X-Forwarded-For: 192.0.2.1\r\n"), HasSubstr(" 401 "));
  if (!ran) GTEST_SKIP() << "only root can become another user";
  EXPECT_THAT(without, HasSubstr("HTTP/1.1 401 "));
  EXPECT_THAT(without, HasSubstr("serve.token")) << "it says what to do";
  EXPECT_TRUE(is_answered(with)) << with;
}

TEST(Serve, Security5WithoutATokenEveryUserOfTheMachineGetsInAndNobodyElse) {
  Weft weft;
  {
    Serving serving(weft, "--no-token");
    EXPECT_FALSE(serving.said.contains("token_file"));
    EXPECT_FALSE(std::filesystem::exists(weft.home() / "serve.token"));
    std::string answer;
    if (net::run_as_another_user([&] { answer = serving.ask(); })) {
      EXPECT_TRUE(is_answered(answer)) << answer;
    }
  }
  const Ran open = weft({"serve", "--no-token", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(open.exit, 2) << open;
  EXPECT_THAT(open.err, HasSubstr("--no-token"));
  EXPECT_EQ(weft({"serve", "--no-token", "--token-file", weft.path("t")}).exit, 2);
}

TEST(Serve, Security6OthersAreServedAndMemoryReturnsWhileOneClientSendsLongBodiesAndStops) {
  constexpr int kClients = 100;
  constexpr std::size_t kBody = (4u << 20) - 200;
  Weft weft;
  Serving serving(weft);
  EXPECT_TRUE(is_answered(serving.ask()));
  const std::size_t before = serving.memory_kb();
  {
    std::deque<Peer> clients;
    std::string begun = Serving::request(std::string(kBody, ' '));
    begun.pop_back();  // the last byte never comes
    for (int i = 0; i < kClients; ++i) {
      clients.push_back(serving.connect());
      // Beyond the budget the server answers and closes.
      clients.back().write(begun);
      if (i % 20 == 0) EXPECT_TRUE(is_answered(serving.ask())) << i;
    }
    EXPECT_TRUE(is_answered(serving.ask()));
    if (!weft_is_sanitized()) {
      EXPECT_LT(serving.memory_kb(), before + (160u << 10));
    }
  }
  EXPECT_TRUE(is_answered(serving.ask()));
  if (weft_is_sanitized()) return;
  EXPECT_TRUE(becomes_true([&] { return serving.memory_kb() < before + (24u << 10); }))
      << before << " kB before, " << serving.memory_kb() << " kB after";
}

TEST(Serve, Security6OthersAreServedWhileOneClientKeepsEveryConnectionItCanOpen) {
  Weft weft;
  Serving serving(weft);
  std::deque<Peer> clients;
  for (int i = 0; i < 700; ++i) {
    clients.push_back(serving.connect());
    clients.back().write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  EXPECT_TRUE(is_answered(serving.ask()));
  const bool ran = net::run_as_another_user([&] {
    for (int i = 0; i < 200; ++i) {
      clients.push_back(serving.connect());
      clients.back().write("GET /healthz HTTP/1.1\r\n");
    }
  });
  EXPECT_TRUE(is_answered(serving.ask())) << ran;
}

TEST(Serve, ThePageIsForEverybodyAndItsQuestionsForThoseWhoMayAsk) {
  Weft weft;
  Serving serving(weft);
  const std::string page = serving.get("/");
  EXPECT_TRUE(is_answered(page));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy: default-src 'none'"));
  EXPECT_TRUE(is_answered(serving.get("/c/3f2a91c0", "Sec-Fetch-Site: cross-site\r\n")));
  EXPECT_TRUE(is_answered(serving.get("/api/hello")));
  EXPECT_THAT(serving.get("/api/hello"), HasSubstr(R"("keys":"content")"));
  for (const char* from : {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
                           "Origin: http://evil.example", "X-Forwarded-For: 10.0.0.1"}) {
    const std::string refused = serving.get("/api/hello", from + std::string("\r\n"));
    EXPECT_FALSE(is_answered(refused)) << from;
    EXPECT_THAT(refused, HasSubstr(R"({"error":{)")) << from;
  }
}

TEST(Serve, OpenFindsTheServerOfTheHomeWhileItRuns) {
  Weft weft;
  const Ran before = weft({"open", "--print"});
  EXPECT_NE(before.exit, 0);
  EXPECT_THAT(before.err, HasSubstr("weft up"));
  {
    Serving serving(weft);
    EXPECT_EQ(text(weft.json({"open"}), "url"), text(serving.said, "page"));
  }
  EXPECT_NE(weft({"open", "--print"}).exit, 0);
}

}  // namespace
}  // namespace weft::test
