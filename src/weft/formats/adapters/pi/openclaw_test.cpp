#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "weft/formats/adapters/pi/pi_for_test.hpp"

namespace weft::formats {
namespace {

using pi::answer;
using pi::entry;
using pi::kHeader;
using pi::message;
using pi::user;

const Adapter& adapter() { return *find_adapter("openclaw"); }

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("openclaw", bytes, info);
}

Conversation read_one(std::string_view bytes, const SourceInfo& info = {}) {
  const Collector collector = read(bytes, info);
  EXPECT_EQ(collector.conversations.size(), 1u);
  return collector.conversations.empty() ? Conversation() : collector.conversations[0];
}

std::string mirror(std::string_view id, std::string_view words) {
  return message(id, "",
                 R"("role":"assistant","provider":"openclaw","model":"delivery-mirror",)"
                 R"("content":[{"type":"text","text":")" +
                     std::string(words) + R"("}])");
}

TEST(OpenClaw, IsAFormatOfItsOwn) {
  const Conversation session = read_one(kHeader + user("u", "", "a"));
  EXPECT_EQ(session.heading.format, "openclaw");
  EXPECT_EQ(session.heading.family, "openclaw");
  EXPECT_EQ(session.heading.program, "openclaw");
}

TEST(OpenClaw, TheLineThatASessionBeginsWithIsNobodysAnswer) {
  const Collector collector =
      read(kHeader + mirror("m", "✅ New session started · model: x/y") + user("u", "m", "a"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human u: a");
  EXPECT_EQ(reasons_of(collector.skipped), (std::map<std::string, int>{{"startup-message", 1}}));
}

TEST(OpenClaw, AMirrorThatRepeatsAnAnswerIsSkipped) {
  const Collector collector =
      read(kHeader + user("u", "", "a") + answer("b", "u", "[[reply_to_current]] so  it is") +
           mirror("m", "so it is") + user("v", "m", "c"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human u: a | assistant b: text | human v: c");
  EXPECT_EQ(reasons_of(collector.skipped), (std::map<std::string, int>{{"mirror", 1}}));
}

TEST(OpenClaw, AMirrorOfWhatWasSentWithAToolIsSkipped) {
  const Collector collector =
      read(kHeader +
           message("a", "",
                   R"("role":"assistant","content":[{"type":"toolCall","id":"c",)"
                   R"("name":"message","arguments":{"to":"ada","message":"dinner"}}])") +
           mirror("m", "dinner"));
  EXPECT_EQ(reasons_of(collector.skipped), (std::map<std::string, int>{{"mirror", 1}}));
}

TEST(OpenClaw, AMillionOpeningsTakeNoTime) {
  const std::string openings(4'000'000, '[');
  EXPECT_EQ(reasons_of(read(kHeader + answer("a", "", openings) + mirror("m", openings)).skipped),
            (std::map<std::string, int>{{"mirror", 1}}));
}

TEST(OpenClaw, AMirrorOfWhatStandsNowhereElseIsKept) {
  EXPECT_EQ(outline(read_one(kHeader + user("u", "", "a") + mirror("m", "a parcel has come"))),
            "human u: a | assistant m: *a parcel has come");
}

TEST(OpenClaw, WhatTheHostAnswersIsTheProgramsEvenIfItSaysSoTwice) {
  const std::string host =
      R"("role":"assistant","provider":"openclaw","model":"host-response",)"
      R"("api":"openclaw-transcript","content":[{"type":"text","text":"noted"}])";
  EXPECT_EQ(outline(read_one(kHeader + user("u", "", "a") + message("x", "", host) +
                             message("y", "", host))),
            "human u: a | assistant x: *noted *noted");
}

TEST(OpenClaw, PromptsOfTheGatewayAreNotAPersons) {
  for (const std::string_view words :
       {"[cron:1 daily] tidy up", "[Sat 2026-04-18 15:10 GMT+8] [Subagent Context] You are one.",
        "[Sun 2026-02-01 09:00 UTC] [System Message] done", "[Inter-session message] hi",
        "Read HEARTBEAT.md if it exists.", "A new session was started via /new or /reset. Greet.",
        R"(System: [09:00] connected\n\nRead HEARTBEAT.md if it exists.)"}) {
    const Conversation session = read_one(kHeader + user("u", "", words));
    EXPECT_EQ(session.turns.at(0).head.role, transcript::Role::system) << words;
  }
  for (const std::string_view words :
       {"[Sat 2026-04-18 15:10 GMT+8] hello", "What is [cron: about?",
        R"(System: [09:00] connected\n\nAre you there?)"}) {
    const Conversation session = read_one(kHeader + user("u", "", words));
    EXPECT_EQ(session.turns.at(0).head.role, transcript::Role::human) << words;
  }
}

TEST(OpenClaw, ProvenanceSaysWhoPrompted) {
  const auto role = [](std::string_view kind) {
    return read_one(kHeader + message("u", "",
                                      R"("role":"user","content":"[cron: x",)"
                                      R"("provenance":{"kind":")" +
                                          std::string(kind) + R"("})"))
        .turns.at(0)
        .head.role;
  };
  EXPECT_EQ(role("inter_session"), transcript::Role::system);
  EXPECT_EQ(role("internal_system"), transcript::Role::system);
  EXPECT_EQ(role("external_user"), transcript::Role::human);
}

TEST(OpenClaw, ASpawningCallNamesItsChildOnceTheResultDoes) {
  const std::string call = message("a", "",
                                   R"("role":"assistant","content":[{"type":"toolCall","id":"c",)"
                                   R"("name":"sessions_spawn","arguments":{"task":"t"}}])");
  const auto result = [](std::string_view members) {
    return message("r", "a",
                   R"("role":"toolResult","toolCallId":"c","toolName":"sessions_spawn",)" +
                       std::string(members));
  };
  const std::vector<Spawned> both = {{"c"}, {"c", "agent:main:subagent:7"}};
  EXPECT_EQ(read_one(kHeader + call).spawned, std::vector<Spawned>{{"c"}});
  EXPECT_EQ(
      read_one(kHeader + call + result(R"("details":{"childSessionKey":"agent:main:subagent:7"})"))
          .spawned,
      both);
  EXPECT_EQ(read_one(kHeader + call +
                     result(R"("content":"{\"childSessionKey\":\"agent:main:subagent:7\"}")"))
                .spawned,
            both);
  EXPECT_EQ(read_one(kHeader + call + result(R"("content":"forbidden","isError":true)")).spawned,
            std::vector<Spawned>{{"c"}});
}

TEST(OpenClaw, TheIndexBesideItKnowsItsTitleAndWhoSpawnedIt) {
  const auto beside = [](std::string_view index) {
    return SourceInfo{.beside = [index](std::string_view name) {
      EXPECT_EQ(name, "sessions.json");
      return std::optional<std::string>(index);
    }};
  };
  const Conversation session = read_one(
      kHeader, beside(R"({"agent:main:main":{"sessionId":"s0"},"agent:main:subagent:7":)"
                      R"({"sessionId":"s1","displayName":"Jars","spawnedBy":"agent:main:main"}})"));
  EXPECT_EQ(session.facts.title, "Jars");
  EXPECT_EQ(session.origins, (std::vector<Origin>{{.kind = Origin::Kind::spawned,
                                                   .session_id = "s0",
                                                   .agent = "agent:main:subagent:7"}}));
  EXPECT_TRUE(read_one(kHeader, beside("[]")).origins.empty());
  EXPECT_TRUE(read_one(kHeader, beside("{\"x\":1}")).origins.empty());
}

TEST(OpenClaw, IsSureWhereOnlyItWritesSoAndElseLeavesItToPi) {
  const Adapter& other = *find_adapter("pi");
  for (const std::string& bytes :
       {kHeader + mirror("m", "x"),
        kHeader + entry("custom", "c", "", R"("customType":"model-snapshot")"),
        kHeader + entry("custom_message", "c", "", R"("customType":"openclaw.runtime-context")"),
        kHeader + message("a", "",
                          R"("role":"assistant","content":[{"type":"toolCall",)"
                          R"("name":"sessions_send","arguments":{}}])"),
        kHeader + message("u", "", R"("role":"user","provenance":{"kind":"external_user"})"),
        std::string(R"({"type":"session","version":3,"id":"s","cwd":"/h/.openclaw/workspace"})")}) {
    EXPECT_EQ(adapter().recognises(bytes), Confidence::yes) << bytes;
    EXPECT_EQ(other.recognises(bytes), Confidence::maybe) << bytes;
  }
  // Words about it are no sign of it.
  for (const std::string& bytes :
       {kHeader, kHeader + user("u", "", R"(\"provider\":\"openclaw\" delivery-mirror)"),
        std::string(R"({"type":"session","version":3,"id":"s","cwd":"/h/.openclawish"})")}) {
    EXPECT_EQ(adapter().recognises(bytes), Confidence::maybe) << bytes;
    EXPECT_EQ(other.recognises(bytes), Confidence::yes) << bytes;
  }
}

TEST(OpenClaw, LeavesCopiesAndSidecarsAlone) {
  const auto ignore_reason = [](std::string_view name) {
    return adapter()
        .ignore_reason("/h/.openclaw/agents/main/sessions/" + std::string(name))
        .value_or("");
  };
  EXPECT_EQ(ignore_reason("9f.jsonl"), "");
  EXPECT_EQ(ignore_reason("9f-topic-12.jsonl"), "");
  EXPECT_EQ(ignore_reason("9f.jsonl.bak"), "backup");
  EXPECT_EQ(ignore_reason("9f.jsonl.bak.2026-02-01T08-00-00.000Z"), "backup");
  EXPECT_EQ(ignore_reason("9f.jsonl.reset.2026-02-01T08-00-00.000Z"), "reset");
  EXPECT_EQ(ignore_reason("9f.jsonl.deleted.2026-02-01T08-00-00.000Z"), "deleted");
  EXPECT_EQ(ignore_reason("9f.checkpoint.1111.jsonl"), "checkpoint");
  EXPECT_EQ(ignore_reason("9f.trajectory.jsonl"), "trajectory");
  EXPECT_EQ(ignore_reason("9f.trajectory-path.json"), "trajectory");
  EXPECT_EQ(ignore_reason("9f.jsonl.corrupt-1.jsonl"), "backup");
  EXPECT_EQ(ignore_reason("sessions.json"), "sidecar");
  EXPECT_EQ(ignore_reason("sessions.json.bak.1"), "sidecar");
  EXPECT_EQ(ignore_reason("9f.jsonl.lock"), "sidecar");
}

TEST(OpenClaw, TheProjectIsItsAgent) {
  EXPECT_EQ(adapter().project("/h/.openclaw/agents/clawd/sessions/9f.jsonl", kHeader),
            "openclaw-clawd");
  EXPECT_EQ(adapter().project("/h/.openclaw/agents/main/agent/openclaw-agent.sqlite", ""),
            "openclaw-main");
  EXPECT_EQ(adapter().project("/elsewhere/9f.jsonl", kHeader), "p");
  EXPECT_EQ(adapter().project("9f.jsonl", ""), "");
}

TEST(OpenClaw, SaysWhereItsAgentsLie) {
  const auto folders = [](std::string_view name, std::string_view value) {
    return adapter().folders([&](std::string_view asked) -> std::optional<std::string> {
      if (asked != name) return std::nullopt;
      return std::string(value);
    });
  };
  EXPECT_EQ(folders("HOME", "/h"),
            (std::vector<std::string>{"/h/.openclaw/agents", "/h/.clawdbot/agents",
                                      "/h/.moltbot/agents"}));
  EXPECT_EQ(folders("OPENCLAW_STATE_DIR", "/s"), (std::vector<std::string>{"/s/agents"}));
  EXPECT_TRUE(folders("PWD", "/").empty());
}

// Asks a database of OpenClaw's kind through the sqlite3 program.
class OpenClawDatabase : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("sqlite3 --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no sqlite3";
    directory_ = testing::TempDir() + "/openclaw-database-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    run(R"(
      CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL,
        previous_session_id TEXT, reason TEXT, created_at INTEGER NOT NULL);
      CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL,
        event_json TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq));
      INSERT INTO session_windows VALUES ('s1', 'agent:main:main', NULL, 'initial', 1),
        ('s2', 'agent:main:main', 's1', 'reset', 2);
      INSERT INTO transcript_events VALUES
        ('s2', 1, '{"type":"message","id":"b"}', 4), ('s1', 1, '{"type":"message","id":"a"}', 2),
        ('s1', 0, '{"type":"session","id":"s1"}', 1), ('s2', 0, '{"type":"session","id":"s2"}', 3),
        ('s3', 0, 'not json', 5);)");
  }

  std::string run(const std::string& sql) {
    std::ofstream(directory_ + "/script.sql") << sql;
    const std::string command =
        "sqlite3 " + directory_ + "/db.sqlite < " + directory_ + "/script.sql 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string out;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
    pclose(pipe);
    return out;
  }

  std::string lines(std::string_view session, int cursor) {
    return run(".parameter init\nINSERT INTO temp.sqlite_parameters VALUES ('?1', '" +
               std::string(session) + "'), ('?2', " + std::to_string(cursor) + ");\n" +
               std::string(adapter().database->lines) + ";");
  }

  std::string directory_;
};

TEST_F(OpenClawDatabase, ListsItsSessionsWithAStampThatGrows) {
  const std::string all = std::string(adapter().database->conversations) + ";";
  EXPECT_EQ(run(all), "s1|2.1\ns2|2.1\ns3|1.0\n");
  run(R"(INSERT INTO transcript_events VALUES ('s1', 2, '{"type":"label"}', 9);)");
  EXPECT_EQ(run(all), "s1|3.2\ns2|2.1\ns3|1.0\n");
}

TEST_F(OpenClawDatabase, GivesTheLinesOfOneSessionInOrderFromACursorOn) {
  EXPECT_EQ(lines("s1", 0),
            "1|{\"type\":\"session\",\"id\":\"s1\"}\n2|{\"type\":\"message\",\"id\":\"a\"}\n");
  EXPECT_EQ(lines("s1", 1), "2|{\"type\":\"message\",\"id\":\"a\"}\n");
  EXPECT_EQ(lines("s1", 2), "");
  EXPECT_EQ(lines("s3", 0), "1|not json\n");
}

TEST_F(OpenClawDatabase, TheHeaderSaysWhichSessionItGoesOnFrom) {
  EXPECT_EQ(lines("s2", 0),
            "1|{\"type\":\"session\",\"id\":\"s2\",\"parentSession\":\"s1\"}\n"
            "2|{\"type\":\"message\",\"id\":\"b\"}\n");
}

}  // namespace
}  // namespace weft::formats
