// Every command of the real binary: what it answers, and the shape of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

// A home with the sample ingested.
class Cli : public testing::Test {
 protected:
  Cli() {
    talk = weft.write("talk.txt", cli::sample_transcript());
    const Ran ran = weft({"ingest", talk, "--json"});
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_THAT(ran.err, HasSubstr("created a keyring for ada"));
    ingested = ran.object();
    conversation = text(list(ingested, "conversations").at(0).as_object(), "conversation_cid");
    for (const json::value& turn : list(weft.json({"walk", conversation}), "turns")) {
      for (const json::value& thought : list(turn.as_object(), "thoughts")) {
        thoughts.push_back(thought.as_object());
      }
    }
  }

  // The last thought of that kind.
  json::object last(std::string_view kind) const {
    for (auto thought = thoughts.rbegin(); thought != thoughts.rend(); ++thought) {
      if (text(*thought, "type").ends_with(kind)) return *thought;
    }
    ADD_FAILURE() << "no " << kind;
    return {};
  }
  std::string last_cid(std::string_view kind) const { return text(last(kind), "cid"); }

  Weft weft;
  std::string talk, conversation;
  json::object ingested;
  std::vector<json::object> thoughts;
};

TEST_F(Cli, IngestSaysWhatItTookIn) {
  EXPECT_THAT(keys(ingested), ElementsAre("conversations", "files", "bytes", "thought_count",
                                          "new_thoughts", "skipped", "warnings", "elapsed_ms"));
  EXPECT_EQ(number(ingested, "files"), 1);
  EXPECT_EQ(number(ingested, "bytes"), static_cast<std::int64_t>(cli::sample_transcript().size()));
  EXPECT_EQ(list(ingested, "skipped").size(), 0u);
  const json::object one = list(ingested, "conversations").at(0).as_object();
  EXPECT_THAT(keys(one), ElementsAre("conversation_cid", "session_id", "format", "title",
                                     "turn_count", "thought_count", "new_thoughts"));
  EXPECT_EQ(text(one, "title"), "The early ferry");
  EXPECT_EQ(text(one, "format"), "anthropic-transcript");
  EXPECT_EQ(number(one, "turn_count"), 4);
  EXPECT_GT(number(one, "new_thoughts"), 10);
}

TEST_F(Cli, IngestAgainAddsNothing) {
  const json::object again = weft.json({"ingest", talk});
  EXPECT_EQ(number(again, "new_thoughts"), 0);
  EXPECT_EQ(number(again, "thought_count"), number(ingested, "thought_count"));
  const Ran plain = weft({"ingest", talk});
  EXPECT_EQ(plain.exit, 0);
  EXPECT_THAT(plain.out, HasSubstr("nothing new in 1 file (1 conversation)"));
  EXPECT_EQ(plain.err, "");
}

TEST_F(Cli, ListShowsConversations) {
  const json::object answer = weft.json({"list"});
  EXPECT_THAT(keys(answer), ElementsAre("conversations", "total"));
  EXPECT_EQ(number(answer, "total"), 1);
  const json::object row = list(answer, "conversations").at(0).as_object();
  EXPECT_THAT(keys(row), ElementsAre("cid", "session_id", "format", "source", "project", "cwd",
                                     "git_branch", "title", "summary", "created_at", "updated_at",
                                     "turn_count", "thought_count", "models"));
  EXPECT_EQ(text(row, "session_id"), "weft-sample");
  const Ran plain = weft({"list"});
  EXPECT_THAT(plain.out, HasSubstr("The early ferry"));
  EXPECT_THAT(plain.out, Not(HasSubstr("\x1b")));
}

TEST_F(Cli, ListTakesItsFilters) {
  EXPECT_EQ(number(weft.json({"list", "--format", "other"}), "total"), 0);
  EXPECT_EQ(number(weft.json({"list", "--project", "other"}), "total"), 0);
  EXPECT_EQ(number(weft.json({"list", "--since", "2100-01-01"}), "total"), 0);
  EXPECT_EQ(number(weft.json({"list", "--since", "2020-01-01"}), "total"), 1);
  EXPECT_TRUE(list(weft.json({"list", "--limit", "0"}), "conversations").empty());
  EXPECT_TRUE(list(weft.json({"list", "--offset", "1"}), "conversations").empty());
}

TEST_F(Cli, GetShowsAThought) {
  const json::object thought = weft.json({"get", last_cid("/response")});
  EXPECT_THAT(keys(thought), IsSupersetOf({"cid", "type", "content", "created_by", "created_at",
                                           "because", "signature"}));
  const Ran plain = weft({"get", last_cid("/response").substr(11, 8)});
  EXPECT_EQ(plain.exit, 0) << plain;
  EXPECT_THAT(plain.out, HasSubstr("Then you would miss it"));
  EXPECT_THAT(plain.out, HasSubstr("because"));
}

TEST_F(Cli, GetOpensWhatTheKeyringOpensUnlessItIsWantedSealed) {
  const std::string thinking = last_cid("/thinking");
  EXPECT_THAT(weft({"get", thinking}).out, HasSubstr("No sailing would help"));
  const Ran sealed = weft({"get", thinking, "--sealed"});
  EXPECT_THAT(sealed.out, HasSubstr("$layers"));
  EXPECT_THAT(sealed.out, Not(HasSubstr("sailing")));
  std::filesystem::remove(weft.home() / "keyring.json");
  const Ran without = weft({"get", thinking});
  EXPECT_EQ(without.exit, 0) << without;
  EXPECT_THAT(without.out, HasSubstr("sealed"));
  EXPECT_THAT(without.out, Not(HasSubstr("sailing")));
  EXPECT_FALSE(std::filesystem::exists(weft.home() / "keyring.json"));
}

TEST_F(Cli, WhyTracesAnAnswerToTheFirstPrompt) {
  const json::object answer = weft.json({"why", last_cid("/response")});
  EXPECT_THAT(keys(answer), ElementsAre("thoughts", "truncated"));
  EXPECT_FALSE(answer.at("truncated").as_bool());
  const json::array found = list(answer, "thoughts");
  EXPECT_EQ(number(found.at(0).as_object(), "depth"), 0);
  EXPECT_EQ(text(found.at(0).as_object(), "cid"), last_cid("/response"));
  EXPECT_THAT(canonical_json(found), HasSubstr("Is the 06:40 ferry"));
  const Ran plain = weft({"why", last_cid("/response")});
  EXPECT_THAT(plain.out, StartsWith("response"));
  EXPECT_THAT(plain.out, HasSubstr("└─ human_input"));
  EXPECT_THAT(plain.out, HasSubstr("ada  Is the 06:40 ferry"));
}

TEST_F(Cli, WhyStopsWhereItIsTold) {
  const json::object one = weft.json({"why", last_cid("/response"), "--depth", "0"});
  EXPECT_EQ(list(one, "thoughts").size(), 1u);
  EXPECT_TRUE(one.at("truncated").as_bool());
  const json::object two = weft.json({"why", last_cid("/response"), "--limit", "2"});
  EXPECT_EQ(list(two, "thoughts").size(), 2u);
  EXPECT_TRUE(two.at("truncated").as_bool());
  EXPECT_THAT(weft({"why", last_cid("/response"), "--limit", "2"}).err, HasSubstr("cut off"));
}

TEST_F(Cli, WalkGoesThroughTheTurnsInOrder) {
  const json::object answer = weft.json({"walk", "weft-sample"});
  EXPECT_THAT(keys(answer), ElementsAre("conversation_cid", "turns"));
  const json::array turns = list(answer, "turns");
  ASSERT_EQ(turns.size(), 4u);
  EXPECT_THAT(keys(turns.at(1).as_object()), ElementsAre("cid", "role", "sequence", "thoughts"));
  EXPECT_EQ(text(turns.at(1).as_object(), "role"), "assistant");
  EXPECT_EQ(list(weft.json({"walk", conversation, "--turn", "2"}), "turns").size(), 1u);
  EXPECT_EQ(list(weft.json({"walk", conversation, "--all"}), "turns").size(), 4u);
  const std::string leaf = text(turns.at(2).as_object(), "cid");
  EXPECT_EQ(list(weft.json({"walk", conversation, "--branch", leaf}), "turns").size(), 3u);
  const Ran plain = weft({"walk", "anthropic-transcript:weft-sample"});
  EXPECT_THAT(plain.out, HasSubstr("turn 0 · human"));
  EXPECT_THAT(plain.out, HasSubstr("thinking_summary"));
  EXPECT_EQ(weft({"walk", conversation, "--turn", "9"}).exit, 1);
}

TEST_F(Cli, ConnectionsComeFromAndTo) {
  const std::string cid = last_cid("/response");
  const json::array both = list(weft.json({"connections", cid}), "connections");
  const json::array from =
      list(weft.json({"connections", cid, "--direction", "from"}), "connections");
  const json::array to = list(weft.json({"connections", cid, "--direction", "to"}), "connections");
  EXPECT_EQ(both.size(), from.size() + to.size());
  ASSERT_FALSE(to.empty());
  EXPECT_THAT(keys(to.at(0).as_object()), ElementsAre("cid", "relation", "from", "to", "label",
                                                      "index", "created_by", "created_at"));
  for (const json::value& edge :
       list(weft.json({"connections", cid, "--relation", "causes"}), "connections")) {
    EXPECT_EQ(text(edge.as_object(), "relation"), "causes");
  }
  EXPECT_THAT(weft({"connections", cid}).out, HasSubstr("reasoning produced response"));
}

TEST_F(Cli, StatsCountsOneOrAll) {
  const json::object all = weft.json({"stats"});
  EXPECT_THAT(keys(all), ElementsAre("conversations", "turn_count", "thinking_ms", "response_ms",
                                     "tool_ms", "waiting_ms", "tool_calls", "tool_errors",
                                     "by_type", "by_tool", "by_model", "tokens"));
  EXPECT_EQ(all, weft.json({"stats", conversation}));
  EXPECT_EQ(number(all, "tool_calls"), 1);
  EXPECT_THAT(weft({"stats"}).out, HasSubstr("ferry_notices"));
}

// Otherwise it would have lasted since 1970.
TEST_F(Cli, StatsDoNotTimeACallOfWhichNobodyKnowsWhenItWasMade) {
  constexpr std::string_view kLines =
      R"({"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"go"}})"
      "\n"
      R"({"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"id":"m",)"
      R"("role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}})"
      "\n"
      R"({"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s",)"
      R"("timestamp":"2026-02-02T02:40:03.000Z","message":{"role":"user","content":)"
      R"([{"type":"tool_result","tool_use_id":"t","content":"done"}]}})"
      "\n";
  const std::string file = weft.write("untimed.jsonl", kLines);
  const json::object untimed = weft.json({"ingest", file, "--format", "claude-code"});
  const std::string cid =
      text(list(untimed, "conversations").at(0).as_object(), "conversation_cid");
  const json::object stats = weft.json({"stats", cid});
  EXPECT_EQ(number(stats, "tool_calls"), 1);
  EXPECT_TRUE(stats.at("tool_ms").is_null());  // unknown
}

TEST_F(Cli, TranscriptReadsAsItScrolledBy) {
  const Ran plain = weft({"transcript", conversation});
  EXPECT_EQ(plain.exit, 0) << plain;
  EXPECT_THAT(plain.out, HasSubstr("[18:58:09] 👤 USER\nIs the 06:40 ferry"));
  EXPECT_THAT(plain.out, HasSubstr("🔧 ferry_notices"));
  EXPECT_THAT(plain.out, Not(HasSubstr("No sailing would help")));
  const json::array entries = weft({"transcript", conversation, "--json"}).document().as_array();
  EXPECT_EQ(entries.size(), 6u);
  EXPECT_THAT(keys(entries.at(0).as_object()),
              IsSupersetOf({"role", "content", "created_at", "entry_id", "source", "sequence"}));
}

TEST_F(Cli, TranscriptTakesItsFiltersAndFormats) {
  const auto lines = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"transcript", conversation, "--format", "jsonl"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 0) << ran;
    return std::count(ran.out.begin(), ran.out.end(), '\n');
  };
  EXPECT_EQ(lines({}), 6);
  EXPECT_EQ(lines({"--role", "user"}), 2);
  EXPECT_EQ(lines({"--role", "human"}), 2);
  EXPECT_EQ(lines({"--role", "tool"}), 1);
  EXPECT_EQ(lines({"--latest", "2"}), 2);
  EXPECT_EQ(lines({"--source", "primary"}), 6);
  EXPECT_EQ(lines({"--source", "subagent:x"}), 0);
  EXPECT_THAT(weft({"transcript", conversation, "--format", "markdown"}).out,
              HasSubstr("## 👤 USER"));
}

TEST_F(Cli, VerifyFindsEverythingInOrder) {
  const json::object answer = weft.json({"verify"});
  EXPECT_THAT(keys(answer),
              IsSupersetOf({"checked", "valid", "foreign", "bad", "missing", "head"}));
  EXPECT_TRUE(list(answer, "bad").empty());
  EXPECT_GT(number(answer, "valid"), 0);
  const std::string head = text(answer, "head");
  EXPECT_EQ(weft({"verify", "--head", head}).exit, 0);
  EXPECT_EQ(weft({"verify", "--head", std::string(64, 'f')}).exit, 1);
  EXPECT_EQ(weft({"verify", conversation}).exit, 0);
  EXPECT_EQ(weft({"verify", last_cid("/response"), conversation}).exit, 0);
  const Ran plain = weft({"verify"});
  EXPECT_THAT(plain.out, StartsWith("valid: "));
  EXPECT_THAT(plain.out, HasSubstr("head " + head));
}

}  // namespace
}  // namespace weft::test
