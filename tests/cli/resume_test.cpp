// weft resume: a conversation becomes a new session of another agent, and is known again when that
// session is ingested.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>

#include "sources_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kToken = "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";

class Resume : public Sources {
 protected:
  void SetUp() override {
    Session session(kOne);
    session.human("look at the loom");
    session.thinks("where is it?");
    session.says("I look.");
    session.calls_with("c.1", "Bash", {{"command", "ls loom"}});
    session.prints("c.1", "shuttle\nspindle");
    session.says("A shuttle and a spindle.");
    session.human("thanks");
    append(place(weft, kOne), session.text());
    ingest();
  }

  json::object resume(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"resume", "--json", "--cwd", weft.scratch().string()});
    return parse_json(weft(arguments).out).value().value.as_object();
  }
  // A person goes on with the session that weft wrote.
  static void go_on(const json::object& next, std::string_view line) {
    append(text(next, "path"), std::string(line) + "\n");
  }
  std::string conversation_of(const std::string& session) {
    for (const json::value& row : list(weft.json({"list"}), "conversations")) {
      if (text(row.as_object(), "session_id") == session) return text(row.as_object(), "cid");
    }
    ADD_FAILURE() << "no conversation of session " << session;
    return {};
  }
  // "human_input: look at the loom", …: what the conversation holds, in order.
  std::vector<std::string> words_of(const std::string& conversation) {
    std::vector<std::string> words;
    for (const json::value& turn : list(weft.json({"walk", conversation}), "turns")) {
      for (const json::value& value : list(turn.as_object(), "thoughts")) {
        const json::object& thought = value.as_object();
        const json::object& content = thought.at("content").as_object();
        std::string type = text(thought, "type");
        std::string line = type.substr(type.find('/') + 1) + ":";
        for (const char* key : {"text", "tool_name", "result_text", "reasoning"}) {
          if (content.contains(key)) line += " " + text(content, key);
        }
        words.push_back(line);
      }
    }
    return words;
  }
  std::set<std::string> cids_of(const std::string& conversation) {
    std::set<std::string> cids;
    for (const json::value& turn : list(weft.json({"walk", conversation}), "turns")) {
      for (const json::value& value : list(turn.as_object(), "thoughts")) {
        cids.insert(text(value.as_object(), "cid"));
      }
    }
    return cids;
  }
};

constexpr std::string_view kCodexPrompt =
    R"({"timestamp":"2026-11-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"and the heddle?"}]}})";

TEST_F(Resume, WritesANewFileInTheAgentsFolderAndPrintsTheCommand) {
  const Ran ran = weft({"resume", kOne, "--in", "codex", "--cwd", weft.scratch().string()});
  ASSERT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(StartsWith("cd "), HasSubstr("codex resume ")));
  EXPECT_THAT(ran.err, HasSubstr("thinking signed by another provider, left out"));
  const json::object next = resume({kOne, "--in", "claude"});
  EXPECT_THAT(text(next, "path"), StartsWith((weft.scratch() / ".claude/projects/").string()));
  EXPECT_EQ(number(next, "blocks"), 7);
  EXPECT_EQ(number(next, "copied"), 7);
  struct stat status{};
  ASSERT_EQ(::stat(text(next, "path").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const std::string session = read_file(text(next, "path")).value();
  EXPECT_THAT(session, AllOf(HasSubstr("\"c_1\""), Not(HasSubstr("\"c.1\""))))
      << "ids are made valid";
  EXPECT_THAT(session, HasSubstr("c2ln")) << "signed thinking goes to its provider";
}

TEST_F(Resume, PrintWritesNothing) {
  const std::set<std::string> before = web_of(weft);
  const Ran ran = weft({"resume", kOne, "--in", "gemini", "--print"});
  ASSERT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("\"functionCall\""));
  EXPECT_FALSE(fs::exists(weft.scratch() / ".gemini"));
  EXPECT_EQ(web_of(weft), before);
  EXPECT_EQ(weft({"resume", kOne, "--in", "gemini", "--print", "--go"}).exit, 2);
  EXPECT_EQ(weft({"resume", kOne, "--in", "emacs"}).exit, 2);
}

TEST_F(Resume, TheSessionContinuesTheConversationAndSharesItsThoughts) {
  const json::object next = resume({kOne, "--in", "codex"});
  go_on(next, kCodexPrompt);
  ingest();
  const std::string first = conversation_of(kOne);
  const std::string second = conversation_of(text(next, "session_id"));
  std::vector<std::string> words = words_of(first);
  std::erase(words, "thinking: where is it?");
  words.push_back("human_input: and the heddle?");
  EXPECT_EQ(words_of(second), words);
  const json::array edges =
      list(weft.json({"connections", second, "--relation", "continues"}), "connections");
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_EQ(text(edges[0].as_object(), "to"), first);
  expect_valid();
}

TEST_F(Resume, CopiedBlocksAreCountedAndFoundOnce) {
  const json::object before = weft.json({"stats"});
  const json::object next = resume({kOne, "--in", "codex"});
  go_on(next, kCodexPrompt);
  ingest();
  const json::object after = weft.json({"stats"});
  EXPECT_EQ(number(after, "conversations"), 2);
  EXPECT_EQ(number(after, "tool_calls"), number(before, "tool_calls"));
  for (const char* tokens : {"input", "output"}) {
    EXPECT_EQ(after.at("tokens").at(tokens), before.at("tokens").at(tokens));
  }
  const json::object found = weft.json({"search", "spindle", "--type", "tool_result"});
  ASSERT_EQ(number(found, "total"), 1);
  EXPECT_EQ(number(list(found, "results")[0].as_object(), "places"), 2);
}

TEST_F(Resume, ThereAndBackKeepsTextsAndCalls) {
  const std::vector<std::string> before = words_of(conversation_of(kOne));
  const json::object there = resume({kOne, "--in", "codex"});
  ingest();
  const json::object back = resume({text(there, "session_id"), "--in", "claude"});
  EXPECT_EQ(number(back, "copied"), 6);
  ingest();
  std::vector<std::string> after = words_of(conversation_of(text(back, "session_id")));
  std::vector<std::string> expected = before;
  std::erase(expected, "thinking: where is it?");
  EXPECT_EQ(after, expected);
  expect_valid();
}

// Gemini CLI copies the session into one of its own, under another id, with a note before it.
TEST_F(Resume, AnImportedSessionIsKnownByItsRecords) {
  const json::object next = resume({kOne, "--in", "gemini"});
  EXPECT_THAT(list(next, "command"), testing::SizeIs(3));
  std::string imported = read_file(text(next, "path")).value();
  const std::string id = text(next, "session_id");
  const std::string other = "99999999-9999-4999-8999-999999999999";
  imported.replace(imported.find(id), id.size(), other);
  imported.insert(imported.find('\n') + 1,
                  R"({"id":"import-1","type":"info","content":"Imported session from x",)"
                  R"("timestamp":"2026-11-01T10:00:00.000Z"})"
                  "\n");
  const fs::path chats = weft.scratch() / ".gemini/tmp/looms/chats";
  fs::create_directories(chats);
  append(chats / "session-1.jsonl", imported);
  ingest();
  const std::string second = conversation_of(other);
  const std::set<std::string> first = cids_of(conversation_of(kOne));
  std::size_t shared = 0;
  for (const std::string& cid : cids_of(second)) shared += first.contains(cid);
  EXPECT_EQ(shared, 6u);
  EXPECT_EQ(
      list(weft.json({"connections", second, "--relation", "continues"}), "connections").size(),
      1u);
  expect_valid();
}

TEST_F(Resume, ABlockThatWasChangedSinceIsNoCopy) {
  const json::object next = resume({kOne, "--in", "codex"});
  std::string session = read_file(text(next, "path")).value();
  const std::size_t at = session.find("A shuttle and a spindle.");
  for (std::size_t from = at; from != std::string::npos;
       from = session.find("A shuttle and a spindle.", from)) {
    session.replace(from, 9, "A pulley ");
  }
  std::ofstream(text(next, "path"), std::ios::binary) << session;
  ingest();
  const std::string second = conversation_of(text(next, "session_id"));
  EXPECT_THAT(words_of(second), testing::Contains(HasSubstr("A pulley")));
  const std::set<std::string> first = cids_of(conversation_of(kOne));
  std::size_t shared = 0;
  for (const std::string& cid : cids_of(second)) shared += first.contains(cid);
  EXPECT_EQ(shared, 5u);
}

TEST_F(Resume, SecretsForAnotherProviderAreAskedAbout) {
  Session session(kTwo);
  session.human("push with " + std::string(kToken));
  session.says("Pushed.");
  append(place(weft, kTwo), session.text());
  ingest();
  const Ran refused = weft({"resume", kTwo, "--in", "codex"});
  EXPECT_EQ(refused.exit, 1) << refused;
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("1 distinct secret"), HasSubstr("--yes"), Not(HasSubstr(kToken))));
  EXPECT_FALSE(fs::exists(weft.scratch() / ".codex"));
  EXPECT_EQ(weft({"resume", kTwo, "--in", "codex", "--yes"}).exit, 0);
  EXPECT_EQ(weft({"resume", kTwo, "--in", "claude"}).exit, 0) << "its own provider has them";
}

TEST_F(Resume, AConversationOfSomebodyElseNeedsForeign) {
  const std::string file = weft.path("web.jsonl");
  ASSERT_EQ(weft({"export", kOne, "--as", "thoughts", "--out", file}).exit, 0);
  const Weft other;
  ASSERT_EQ(other({"init"}).exit, 0);
  ASSERT_EQ(other({"import", file}).exit, 0);
  const Ran refused = other({"resume", kOne, "--in", "codex"});
  EXPECT_EQ(refused.exit, 1) << refused;
  EXPECT_THAT(refused.err, HasSubstr("--foreign"));
  const json::object next = other.json({"resume", kOne, "--in", "codex", "--foreign"});
  append(text(next, "path"), std::string(kCodexPrompt) + "\n");
  ASSERT_EQ(other({"ingest"}).exit, 0);
  EXPECT_EQ(number(other.json({"stats"}), "tool_calls"), 1);
  EXPECT_EQ(number(other.json({"search", "spindle", "--type", "tool_result"}), "total"), 1);
}

TEST_F(Resume, ForgettingTheOriginKeepsWhatTheNextOneHolds) {
  const json::object next = resume({kOne, "--in", "codex"});
  go_on(next, kCodexPrompt);
  ingest();
  const std::vector<std::string> before = words_of(conversation_of(text(next, "session_id")));
  ASSERT_EQ(weft({"forget", kOne, "--yes"}).exit, 0);
  EXPECT_EQ(words_of(conversation_of(text(next, "session_id"))), before);
  expect_valid();
}

// The causes that were left out of the session stand in the conversation before.
TEST_F(Resume, AnExportHoldsWhatTheConversationRestsOn) {
  const json::object next = resume({kOne, "--in", "codex"});
  go_on(next, kCodexPrompt);
  ingest();
  const std::string file = weft.path("web.jsonl");
  const std::string id = text(next, "session_id");
  const Ran exported = weft({"export", id, "--as", "thoughts", "--out", file});
  ASSERT_EQ(exported.exit, 0) << exported;
  EXPECT_THAT(exported.err, HasSubstr("1 conversation that it was resumed from"));
  const Weft other;
  ASSERT_EQ(other({"init"}).exit, 0);
  const Ran imported = other({"import", file});
  EXPECT_EQ(imported.exit, 0) << imported;
  EXPECT_EQ(other({"verify"}).exit, 0) << other({"verify"});
}

TEST_F(Resume, ReadingTheSessionAgainAddsNothing) {
  const json::object next = resume({kOne, "--in", "codex"});
  ingest();
  go_on(next, kCodexPrompt);
  ingest();
  const std::set<std::string> before = web_of(weft);
  ASSERT_EQ(weft({"reweave", "--all"}).exit, 0);
  EXPECT_EQ(web_of(weft), before);
}

TEST_F(Resume, UptoEndsTheSessionThere) {
  std::string call;
  for (const json::value& turn : list(weft.json({"walk", kOne}), "turns")) {
    for (const json::value& thought : list(turn.as_object(), "thoughts")) {
      if (text(thought.as_object(), "type") == "anthropic/tool_request") {
        call = text(thought.as_object(), "cid");
      }
    }
  }
  const Ran ran = weft({"resume", kOne, "--in", "codex", "--print", "--upto", call});
  ASSERT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("No result of this call was recorded."),
                             Not(HasSubstr("A shuttle and"))));
}

TEST_F(Resume, WhatIsTooLongBeginsWithTheLastCompaction) {
  Session session(kTwo);
  session.human("the beginning " + std::string(1'000'000, 'x'));
  session.says("long");
  session.compacts("We spoke of looms.");
  session.human("go on with the heddle");
  session.says("Gladly.");
  append(place(weft, kTwo), session.text());
  ingest();
  const Ran ran = weft({"resume", kTwo, "--in", "codex", "--print"});
  ASSERT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.err, HasSubstr("begins with the last compaction"));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("We spoke of looms."), Not(HasSubstr("the beginning"))));
  const Ran whole = weft({"resume", kTwo, "--in", "gemini", "--print"});
  EXPECT_THAT(whole.out, HasSubstr("the beginning"));
}

// The agent is a script here; what counts is where and how it is started.
TEST_F(Resume, GoStartsTheAgentInTheFolder) {
  const fs::path bin = weft.scratch() / "bin";
  fs::create_directories(bin);
  append((bin / "codex").string(), "#!/bin/sh\necho \"$@\" in \"$PWD\"\n");
  ASSERT_EQ(::chmod((bin / "codex").c_str(), 0700), 0);
  Weft& with_path = weft;
  with_path.environment["PATH"] = bin.string() + ":/usr/bin:/bin";
  const Ran ran = weft({"resume", kOne, "--in", "codex", "--go", "--cwd", bin.string()});
  ASSERT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(StartsWith("resume "), EndsWith(" in " + bin.string() + "\n")));
}

}  // namespace
}  // namespace weft::test
