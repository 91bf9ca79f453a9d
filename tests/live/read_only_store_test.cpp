// Servers on a store that cannot be written: they answer questions, say so once, and ingest
// nothing.
#include <gmock/gmock.h>

#include <fstream>

#include "record_for_test.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A home that may be read by everybody and written by nobody.
class ReadOnlyStore : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() == 0 && ::access("/usr/bin/setpriv", X_OK) != 0) {
      GTEST_SKIP() << "setpriv is not installed, and root may write everything";
    }
    ASSERT_EQ(weft({"ingest", talk}).exit, 0);
    std::ofstream(errors).close();
    for (const fs::path& path : {weft.scratch(), weft.home()}) {
      fs::permissions(path, fs::perms(0555));
    }
    fs::permissions(weft.home() / "weft.db", fs::perms(0444));
    before = read_file(weft.home() / "weft.db").value();
  }
  void TearDown() override {
    for (const fs::path& path : {weft.scratch(), weft.home()}) {
      fs::permissions(path, fs::perms(0700));
    }
    EXPECT_TRUE(before.empty() || read_file(weft.home() / "weft.db").value() == before);
  }
  // weft with these arguments as a user who is not root; its stderr goes to a file.
  std::unique_ptr<StdioClient> start(const std::string& arguments) const {
    const std::string other =
        ::geteuid() == 0 ? "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
    return std::make_unique<StdioClient>(
        "/bin/sh",
        std::vector<std::string>{"-c",
                                 "exec " + other + WEFT_BINARY + " " + arguments + " 2>>" + errors},
        weft.environment);
  }
  std::size_t notes() const {
    const std::string said = read_file(errors).value_or("");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = said.find("can be read, but not written", at)) != said.npos;
         ++at) {
      ++count;
    }
    return count;
  }
  static json::object call(int id, std::string_view tool, json::object arguments) {
    return {{"jsonrpc", "2.0"},
            {"id", id},
            {"method", "tools/call"},
            {"params", modern_params({{"name", tool}, {"arguments", std::move(arguments)}})}};
  }
  // What the tools answer to `ask`, which sends a message and returns the answer.
  void expect_answers(const std::function<json::object(const json::object&)>& ask) const {
    const auto answered = [&](std::string_view tool, const json::object& arguments) {
      const json::object answer = ask(call(++next_, tool, arguments));
      const json::object* result = find_object(answer, "result");
      EXPECT_NE(result, nullptr) << canonical_json(answer);
      return result == nullptr ? json::object() : *result;
    };
    const json::object found = answered("wot_thought_search", {{"query", "ferry"}});
    EXPECT_FALSE(find_bool(found, "isError").value_or(false)) << canonical_json(found);
    EXPECT_THAT(canonical_json(found), HasSubstr("ferry"));
    for (const auto& [tool, arguments] : std::vector<std::pair<std::string, json::object>>{
             {"wot_capture_start", {{"session_id", "new"}}},
             {"wot_conversation_ingest", {{"transcript_path", talk}}}}) {
      const json::object refused = answered(tool, arguments);
      EXPECT_TRUE(find_bool(refused, "isError").value_or(false)) << canonical_json(refused);
      EXPECT_THAT(canonical_json(refused), HasSubstr("can be read, but not written")) << tool;
    }
  }
  json::object ask_over_http(std::uint16_t port, const json::object& message) const {
    const std::string body = canonical_json(message);
    const Peer client = Peer::to(port);
    client.write(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nConnection: close\r\n"
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " +
        text(message.at("params").as_object(), "name") +
        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    const std::string answer = client.read_all();
    const std::size_t begin = answer.find("{\"");
    const std::size_t end = answer.rfind('}');
    if (begin == std::string::npos) {
      ADD_FAILURE() << answer;
      return {};
    }
    const auto parsed = parse_json(std::string_view(answer).substr(begin, end - begin + 1));
    EXPECT_TRUE(parsed) << answer;
    return parsed ? parsed->value.as_object() : json::object();
  }
  static std::uint16_t port_in(const json::object& line) {
    const std::string url = text(line, "url");
    return static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
  }

  Weft weft;
  std::string talk = weft.write("talk.txt", cli::sample_transcript());
  std::string errors = weft.path("errors");
  std::string before;
  mutable int next_ = 0;
};

TEST_F(ReadOnlyStore, Security12McpOnAReadOnlyStoreAnswersQuestionsAndIngestsNothing) {
  const auto agent = start("mcp");
  expect_answers([&](const json::object& message) {
    agent->send(message);
    return agent->answer_to(message.at("id"));
  });
  agent->close_stdin();
  EXPECT_EQ(agent->wait(), 0);
  EXPECT_EQ(notes(), 1u) << read_file(errors).value_or("");
}

TEST_F(ReadOnlyStore, Security12ServeOnAReadOnlyStoreAnswersQuestionsAndIngestsNothing) {
  const auto server = start("serve --listen 127.0.0.1:0 --no-token --json");
  const std::uint16_t port = port_in(server->next());
  expect_answers([&](const json::object& message) { return ask_over_http(port, message); });
  server->kill(SIGTERM);
  EXPECT_EQ(server->wait(), 0);
  EXPECT_EQ(notes(), 1u) << read_file(errors).value_or("");
}

TEST_F(ReadOnlyStore, Security12UpOnAReadOnlyStoreShowsItAndServesIt) {
  const auto server = start("up --listen 127.0.0.1:0 --no-token --json");
  EXPECT_FALSE(server->next().at("sample").as_bool());
  const std::uint16_t port = port_in(server->next());
  expect_answers([&](const json::object& message) { return ask_over_http(port, message); });
  server->kill(SIGTERM);
  EXPECT_EQ(server->wait(), 0);
  EXPECT_EQ(notes(), 1u) << read_file(errors).value_or("");
  const auto once = start("up --once --json");
  EXPECT_FALSE(once->next().at("sample").as_bool());
  EXPECT_EQ(once->wait(), 0);
  EXPECT_EQ(notes(), 2u);
}

}  // namespace
}  // namespace weft::test
