// weft transcript --follow: what is there, and then what comes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "program.hpp"
#include "session_for_test.hpp"
#include "stdio_client.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kId = "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0001";

class Followed : public testing::Test {
 protected:
  Followed() : session_(std::string(kId)) { EXPECT_EQ(weft_({"init"}).exit, 0); }
  void ingest() const { ingest(session_, std::string(kId) + ".jsonl"); }
  void ingest(const Session& session, const std::string& name) const {
    const fs::path path = weft_.scratch() / "projects/-p" / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << session.text();
    const Ran ran = weft_({"ingest", "--source", "claude-code:" + weft_.path("projects")});
    ASSERT_EQ(ran.exit, 0) << ran;
  }
  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> words = {"transcript", std::string(kId), "--follow", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::string content(const json::object& entry) { return text(entry, "content"); }

  Weft weft_;
  Session session_;
};

TEST_F(Followed, TellsWhatIsThereAndThenWhatComes) {
  session_.human("why?");
  session_.thinks("hm");
  session_.says("Because.");
  ingest();
  StdioClient client(WEFT_BINARY, command({}), weft_.environment);
  EXPECT_EQ(content(client.next()), "why?");
  EXPECT_EQ(content(client.next()), "Because.");
  session_.says("And so on.");
  ingest();
  const json::object more = client.next();
  EXPECT_EQ(content(more), "And so on.");
  EXPECT_TRUE(more.at("metadata").as_object().contains("continues"));
  EXPECT_EQ(number(more, "sequence"), 2);
  Session agent{std::string(kId)};
  agent.make_subagent("a1");
  agent.human("look around");
  ingest(agent, std::string(kId) + "/subagents/agent-a1.jsonl");
  EXPECT_EQ(text(client.next(), "source"), "subagent:a1");
  client.kill(SIGTERM);
  EXPECT_EQ(client.wait(), 0);
}

TEST_F(Followed, OfWhatIsThereTheLastAndOfWhatComesAll) {
  for (int i = 0; i < 5; ++i) {
    session_.human("question " + std::to_string(i));
    session_.calls("t" + std::to_string(i), "Bash", "ls");
    session_.prints("t" + std::to_string(i), "out " + std::to_string(i));
  }
  ingest();
  StdioClient client(WEFT_BINARY, command({"--latest", "1", "--role", "tool"}), weft_.environment);
  EXPECT_EQ(content(client.next()), "out 4");
  for (int i = 5; i < 7; ++i) {
    session_.calls("t" + std::to_string(i), "Bash", "ls");
    session_.prints("t" + std::to_string(i), "out " + std::to_string(i));
  }
  ingest();
  EXPECT_EQ(content(client.next()), "out 5");
  EXPECT_EQ(content(client.next()), "out 6");
  client.kill(SIGINT);
  EXPECT_EQ(client.wait(), 0);
}

TEST_F(Followed, ASessionThatHasNotBegunIsWaitedFor) {
  Session other("0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0002");
  other.human("so that there is a store");
  ingest(other, "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0002.jsonl");
  StdioClient client(WEFT_BINARY, command({}), weft_.environment);
  session_.human("here I am");
  ingest();
  EXPECT_EQ(content(client.next()), "here I am");
}

TEST_F(Followed, SinceLeavesOutWhatIsOlder) {
  session_.human("why?");
  session_.says("Because.");
  session_.human("I mean, how?");
  ingest();
  const std::string begin = "2026-02-02T02:40:02Z";
  const Ran ran = weft_({"transcript", std::string(kId), "--since", begin, "--format", "jsonl"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("Because."));
  EXPECT_THAT(ran.out, Not(HasSubstr("why?")));
  EXPECT_EQ(weft_({"transcript", std::string(kId), "--since", "soon"}).exit, 2);
  EXPECT_EQ(weft_({"transcript", std::string(kId), "--since", "2027-01-01"}).out, "");
}

TEST_F(Followed, ColoursSayWhoSpeaks) {
  session_.human("why?");
  session_.calls("t1", "Bash", "ls");
  session_.prints("t1", "looms");
  session_.says("So.");
  ingest();
  const std::string plain = weft_({"transcript", std::string(kId)}).out;
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  const std::string all = weft_({"transcript", std::string(kId), "--color", "always"}).out;
  EXPECT_THAT(all, HasSubstr("\x1b[32m[02:40:01] 👤 USER\x1b[0m\nwhy?"));
  EXPECT_THAT(all, HasSubstr("🤖 ASSISTANT\x1b[0m\nSo."));
  EXPECT_THAT(all, HasSubstr("\x1b[2mlooms\x1b[0m"));
}

}  // namespace
}  // namespace weft::test
