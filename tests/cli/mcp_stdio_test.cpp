// weft mcp as an agent meets it: the real program on real pipes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <random>

#include "program.hpp"
#include "stdio_client.hpp"

namespace weft::test {
namespace {

json::object request(json::value id, std::string_view method, json::object params = {}) {
  return {{"jsonrpc", "2.0"},
          {"id", std::move(id)},
          {"method", method},
          {"params", modern_params(std::move(params))}};
}

class McpStdio : public testing::Test {
 protected:
  McpStdio() {
    const std::string sample =
        std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/anthropic_transcript/every-block.txt";
    EXPECT_EQ(weft({"ingest", sample}).exit, 0);
  }
  std::unique_ptr<StdioClient> talk(StdioClient::Stderr err = StdioClient::Stderr::ignored) const {
    return std::make_unique<StdioClient>(WEFT_BINARY, std::vector<std::string>{"mcp"},
                                         weft.environment, err);
  }

  Weft weft;
};

TEST_F(McpStdio, EndsWithItsInputAndAnswersFirst) {
  const auto agent = talk();
  for (int i = 0; i < 50; ++i) agent->send(request(i, "tools/list"));
  agent->close_stdin();
  EXPECT_EQ(agent->rest().size(), 50u);
  EXPECT_EQ(agent->wait(), 0);
}

TEST_F(McpStdio, EndsAtOnceOnASignal) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto agent = talk();
    agent->send(request(1, "server/discover"));
    agent->answer_to(1);
    agent->send(request("open", "subscriptions/listen", {{"notifications", json::object()}}));
    agent->next();
    agent->kill(signal);
    EXPECT_EQ(agent->wait(), 0) << signal;
  }
}

TEST_F(McpStdio, AMalformedLineIsAnsweredAndTheConnectionLivesOn) {
  const auto agent = talk();
  agent->write("{\"jsonrpc\":\"2.0\",\n");
  EXPECT_EQ(agent->next().at("error").at("code"), -32700);
  agent->write("\n  \r\n[]\n");
  EXPECT_EQ(agent->next().at("error").at("code"), -32600);
  agent->send(request(1, "server/discover"));
  EXPECT_TRUE(agent->answer_to(1).contains("result"));
}

TEST_F(McpStdio, ALineThatIsTooLongIsRefusedAndItsMemoryGivenBack) {
  const auto agent = talk();
  const std::string piece(1u << 20, 'x');
  agent->write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"");
  for (int i = 0; i < 30; ++i) agent->write(piece);
  agent->write("\"}\n");
  EXPECT_EQ(agent->next().at("error").at("code"), -32600);
  agent->send(request(2, "server/discover"));
  EXPECT_TRUE(agent->answer_to(2).contains("result"));
}

// Whatever is sent, stdout is JSON-RPC, a line each, and the next request is served.
TEST_F(McpStdio, TenThousandHostileMessagesLeaveItServing) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto pick = [&](const auto& list) { return list[random() % list.size()]; };
  const std::vector<std::string> methods = {"initialize",
                                            "ping",
                                            "tools/list",
                                            "tools/call",
                                            "resources/list",
                                            "resources/read",
                                            "completion/complete",
                                            "prompts/get",
                                            "prompts/list",
                                            "server/discover",
                                            "subscriptions/listen",
                                            "notifications/cancelled",
                                            "resources/subscribe",
                                            "no/such",
                                            ""};
  std::vector<std::string> tools = {"none"};
  const auto agent = talk();
  agent->send(request("tools", "tools/list"));
  const json::object listed = agent->answer_to("tools");
  for (const json::value& tool : listed.at("result").at("tools").as_array()) {
    tools.emplace_back(view(tool.at("name").as_string()));
  }
  const std::vector<std::string> atoms = {"null",
                                          "true",
                                          "0",
                                          "-1",
                                          "1e308",
                                          "9007199254740993",
                                          "\"\"",
                                          "\"a\"",
                                          "\"\\u0000\"",
                                          "\"../../etc/passwd\"",
                                          "\"weft://thought/zz\"",
                                          "\"\\ud800\"",
                                          "[]",
                                          "{}",
                                          "\"%s%n\"",
                                          "\"'; DROP TABLE thoughts;--\"",
                                          "\"" + std::string(5'000, 'x') + "\"",
                                          "[[[[[[[[]]]]]]]]"};
  const std::vector<std::string> names = {
      "name",  "arguments", "uri",   "cursor",     "_meta",         "ref",      "argument",
      "query", "cid",       "limit", "session_id", "notifications", "requestId"};
  const auto object = [&](int depth, const auto& self) -> std::string {
    std::string out = "{";
    for (std::size_t i = random() % 4; i > 0; --i) {
      out += (out.size() > 1 ? "," : "") + ("\"" + pick(names) + "\":") +
             (depth > 0 && random() % 3 == 0 ? self(depth - 1, self) : pick(atoms));
    }
    return out + "}";
  };
  for (int i = 0; i < 10'000; ++i) {
    const std::string id = random() % 10 == 0 ? pick(atoms) : "\"h" + std::to_string(i) + "\"";
    const std::string arguments = object(2, object);
    std::string params = random() % 2 == 0
                             ? arguments
                             : "{\"name\":\"" + pick(tools) + "\",\"arguments\":" + arguments + "}";
    if (random() % 2 == 0 && params.size() > 2) {
      params.insert(params.size() - 1, ",\"_meta\":" + canonical_json(modern_params().at("_meta")));
    }
    std::string line = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + pick(methods) +
                       R"(","params":)" + params + "}";
    switch (random() % 8) {
      case 0: line.resize(random() % (line.size() + 1)); break;
      case 1:
        for (int k = 0; k < 4; ++k) line[random() % line.size()] = static_cast<char>(random());
        break;
      case 2: line.insert(random() % line.size(), std::string(random() % 2'000, '[')); break;
      default: break;
    }
    std::erase(line, '\n');
    agent->write(line + "\n");
  }
  agent->send(request("last", "server/discover"));
  EXPECT_TRUE(agent->answer_to("last").contains("result"));
  for (const json::object& message : agent->others) EXPECT_EQ(message.at("jsonrpc"), "2.0");
  agent->close_stdin();
  for (const std::string& line : agent->rest()) EXPECT_TRUE(parse_json(line)) << line;
  EXPECT_EQ(agent->wait(), 0);
}

TEST_F(McpStdio, WithStderrClosedStdoutIsTheProtocolAllTheSame) {
  const auto agent = talk(StdioClient::Stderr::closed);
  agent->send(request(1, "resources/list"));
  const json::object answer = agent->answer_to(1);
  EXPECT_FALSE(answer.at("result").at("resources").as_array().empty());
  agent->close_stdin();
  EXPECT_TRUE(agent->rest().empty());
  EXPECT_EQ(agent->wait(), 0);
}

// Files may not grow any more: what a full disk looks like.
TEST_F(McpStdio, OnAFullDiskItStillReadsAndSaysWhatItCannotWrite) {
  weft.write("talk.txt", "Human:\nContent:\n[{\"type\": \"text\", \"text\": \"new words\"}]\n");
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit tight{.rlim_cur = 64u << 10, .rlim_max = old.rlim_max};
  ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &tight);
  StdioClient agent(WEFT_BINARY, {"mcp", "--source", "anthropic-transcript:" + weft.path("")},
                    weft.environment);
  ::setrlimit(RLIMIT_FSIZE, &old);
  agent.send(request(1, "resources/list"));
  EXPECT_TRUE(agent.answer_to(1).contains("result"));
  agent.close_stdin();
  EXPECT_TRUE(agent.rest().empty());
  EXPECT_EQ(agent.wait(), 0);
}

TEST_F(McpStdio, TwoServeOneHomeAtTheSameTime) {
  const auto one = talk();
  const auto other = talk();
  for (const auto& agent : {one.get(), other.get()}) {
    agent->send(request(1, "resources/list"));
    EXPECT_TRUE(agent->answer_to(1).contains("result"));
  }
}

TEST_F(McpStdio, ASubscriberHearsWhatAnotherProcessTakesIn) {
  const auto agent = talk();
  agent->send(request("sub", "subscriptions/listen",
                      {{"notifications", json::object{{"resourcesListChanged", true}}}}));
  EXPECT_EQ(agent->next().at("method"), "notifications/subscriptions/acknowledged");
  const std::string other =
      std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/anthropic_transcript/two-rounds.txt";
  ASSERT_EQ(weft({"ingest", other}).exit, 0);
  EXPECT_EQ(agent->next().at("method"), "notifications/resources/list_changed");
}

TEST_F(McpStdio, MakesAHomeWhereThereIsNone) {
  Weft fresh;
  StdioClient agent(WEFT_BINARY, {"mcp"}, fresh.environment);
  agent.send(request(1, "resources/list"));
  EXPECT_TRUE(agent.answer_to(1).at("result").at("resources").as_array().empty());
  agent.close_stdin();
  EXPECT_EQ(agent.wait(), 0);
  EXPECT_TRUE(std::filesystem::exists(fresh.home() / "keyring.json"));
}

TEST_F(McpStdio, TakesInWhatTheMachineHasWhenItIsFirstAsked) {
  Weft fresh;
  const std::filesystem::path folder = fresh.scratch() / ".claude/projects/-work-demo";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(
      std::string(WEFT_SOURCE_DIR) + "/tests/fixtures/claude_code/main.jsonl",
      folder / "5a1e0000-0000-4000-8000-000000000001.jsonl");
  StdioClient agent(WEFT_BINARY, {"mcp"}, fresh.environment);
  // The first answer waits a moment for it; on a machine that is very slow it comes later.
  for (int id = 0; id < 1'000; ++id) {
    agent.send(request(id, "resources/list"));
    if (!agent.answer_to(id).at("result").at("resources").as_array().empty()) return;
  }
  FAIL() << "nothing was taken in";
}

}  // namespace
}  // namespace weft::test
