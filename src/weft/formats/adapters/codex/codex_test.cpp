// Rollouts of Codex: what each is, used and comes from, its places, and where its files lie.
#include <gtest/gtest.h>

#include "weft/formats/adapters/codex/codex_for_test.hpp"

namespace weft::formats {
namespace {

using codex::answer;
using codex::call;
using codex::event;
using codex::item;
using codex::line;
using codex::meta;
using codex::outline_of;
using codex::read;
using codex::shown_answer;
using codex::shown_user;
using codex::tokens;
using codex::user;

TEST(Codex, TellsWhoItIsAndWhere) {
  const Collector collector =
      read(meta(R"("id":"t1","session_id":"t1","cwd":"/w/p","git":{"branch":"b"})") + user("hi"),
           {.name = "x", .project = "p"});
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.format, "codex");
  EXPECT_EQ(session.heading.family, "openai");
  EXPECT_EQ(session.heading.program, "codex");
  EXPECT_EQ(session.heading.provider, "openai");
  EXPECT_EQ(session.heading.session_id, "t1");
  EXPECT_EQ(session.facts.cwd, "/w/p");
  EXPECT_EQ(session.facts.git_branch, "b");
  EXPECT_EQ(session.facts.project, "p");
  EXPECT_EQ(session.facts.title, "hi");
}

TEST(Codex, UsageIsTheSumOfWhatEachCallSays) {
  const Collector collector =
      read(meta() + user("a") + tokens(10, 10) + tokens(10, 10, 2) + tokens(25, 15, 3) +
           event("token_count", R"("info":null)", 4) + tokens(7, 7, 5));
  EXPECT_EQ(collector.conversations.at(0).facts.usage, (Usage{32, 6, 3, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}, {"internal", 1}}));
}

TEST(Codex, AForkTellsWhatItCopiesButCountsOnlyItsOwn) {
  const Collector collector = read(
      meta(R"("id":"kid","forked_from_id":"pop")") + line("session_meta", R"("id":"pop")", 0) +
      user("old", 0) + tokens(10, 10, 0) + answer("older", 0) + user("new", 9) + tokens(30, 20, 9));
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, "kid");
  EXPECT_EQ(session.origins, (std::vector<Origin>{{Origin::Kind::continued, "pop"}}));
  EXPECT_EQ(outline(session), "human #3: old | assistant #5: older | human #6: new");
  EXPECT_EQ(session.facts.usage, (Usage{20, 2, 1, 0}));
  EXPECT_EQ(session.facts.title, "new");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"replay", 2}}));
}

TEST(Codex, NobodyInASubagentIsHuman) {
  const Collector collector = read(
      meta(
          R"("id":"kid","session_id":"root","source":{"subagent":{"thread_spawn":{"parent_thread_id":"pop"}}})") +
      user("Count.") + shown_user("Count.") + answer("3"));
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(outline(session), "system #2: *Count. | assistant #4: 3");
  EXPECT_EQ(session.heading.session_id, "root");
  EXPECT_EQ(session.heading.source, "subagent:kid");
  EXPECT_EQ(
      session.origins,
      (std::vector<Origin>{{.kind = Origin::Kind::spawned, .session_id = "root", .agent = "kid"}}));
}

TEST(Codex, ASpawningCallTellsWhomItSpawned) {
  const Collector collector = read(
      meta() + user("go") +
      item(R"("type":"function_call","name":"spawn_agent","arguments":"{}","call_id":"sp")") +
      event("sub_agent_activity", R"("event_id":"sp","agent_thread_id":"kid","kind":"started")"));
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.spawned.back(), (transcript::Spawned{"sp", "kid"}));
}

TEST(Codex, HelpersOfTheHarnessAreLeftOut) {
  for (const std::string_view source :
       {R"({"subagent":"compact"})", R"({"subagent":{"other":"guardian"}})",
        R"({"subagent":"memory_consolidation"})"}) {
    const Collector collector =
        read(meta(R"("id":"x","source":)" + std::string(source)) + user("hi") + answer("yo"));
    EXPECT_TRUE(collector.conversations.empty()) << source;
    EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"internal", 3}})) << source;
  }
}

TEST(Codex, TheModelAndFolderAreThoseOfTheTurn) {
  const Collector collector =
      read(meta() + line("turn_context", R"("model":"m1","cwd":"/w/q")") + answer("a", 2) +
           line("turn_context", R"("model":"m2")", 3) + answer("b", 4));
  const auto blocks = blocks_of(collector.conversations.at(0));
  EXPECT_EQ(blocks.at(0).model, "m1");
  EXPECT_EQ(blocks.at(1).model, "m2");
  EXPECT_EQ(collector.conversations[0].facts.cwd, "/w/q");
}

TEST(Codex, ANameThatIsGivenStays) {
  const Collector collector =
      read(meta() + event("thread_name_updated", R"("thread_name":"Weeding")") + user("hi"));
  EXPECT_EQ(collector.conversations.at(0).facts.title, "Weeding");
}

TEST(Codex, ALineTwiceIsADuplicateAndHalfALineIsMended) {
  const Collector twice = read(meta() + user("hi") + user("hi"));
  EXPECT_EQ(reasons_of(twice.skipped), (Counts{{"duplicate", 1}}));
  const std::string whole = answer("yo");
  const Collector torn = read(meta() + user("hi") + whole.substr(0, 70) + whole);
  EXPECT_EQ(outline(torn.conversations.at(0)), "human #2: hi | assistant #3: yo");
  EXPECT_EQ(torn.skipped.size(), 1u);
}

TEST(Codex, AnIdThatComesAgainIsNoPlace) {
  const std::string blocks = R"("type":"message","id":"m","role":"assistant","content":")";
  EXPECT_EQ(outline_of(meta() + item(blocks + "a\"") + item(blocks + "b\"", 2)),
            "assistant m: a b");
}

TEST(Codex, TwoFilesOfOneThreadCountApart) {
  const std::string thread = "01990000-0000-7000-8000-000000000001";
  const std::string rollout = "01990000-0000-7000-8000-000000000002";
  const Collector collector = read(
      user("hi"), {.name = "rollout-2026-09-01T08-00-00-" + thread + "_" + rollout + ".jsonl"});
  const Conversation& session = collector.conversations.at(0);
  EXPECT_EQ(session.heading.session_id, thread);
  EXPECT_EQ(session.turns.at(0).head.source_id, "#1@" + rollout);
}

TEST(Codex, TheOutputsOfTwoRunsAreTwoConversations) {
  const auto run = [](std::string_view thread) {
    return R"({"type":"thread.started","thread_id":")" + std::string(thread) + "\"}\n" +
           R"({"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"a"}})" +
           "\n" + R"({"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":1}})" +
           "\n";
  };
  const Collector collector = read(run("x") + run("y"));
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[0]), "assistant #exec-2: a");
  EXPECT_EQ(outline(collector.conversations[1]), "assistant #exec-5: a");
  EXPECT_EQ(collector.conversations[1].facts.usage, (Usage{5, 1, 0, 0}));
}

TEST(Codex, ItsStateDoesNotGrowWithTheFile) {
  const Adapter& adapter = *find_adapter("codex");
  const auto reader = adapter.open({});
  Collector collector;
  std::size_t largest = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string id = "c" + std::to_string(i);
    for (const std::string& text : {user("u" + id), call(id), shown_answer("s" + id)}) {
      reader->read({.text = std::string_view(text).substr(0, text.size() - 1)}, collector);
    }
    largest = std::max(largest, canonical_json(reader->save()).size());
  }
  EXPECT_LT(largest, 16'000u);
}

TEST(Codex, IsRecognisedByAnyOfItsLines) {
  const Adapter& adapter = *find_adapter("codex");
  EXPECT_EQ(adapter.recognises(meta()), Confidence::yes);
  EXPECT_EQ(adapter.recognises("not json\n" + user("hi")), Confidence::yes);
  EXPECT_EQ(adapter.recognises(R"({"type":"thread.started","thread_id":"x"})"), Confidence::yes);
  EXPECT_EQ(adapter.recognises(R"({"id":"x","timestamp":"t","instructions":null})"),
            Confidence::yes);
  // A header longer than a head.
  const std::string cut = meta(R"("id":"x","cwd":"/w/long","base_instructions":{"text":")" +
                               std::string(kHeadBytes, 'x') + R"("})");
  EXPECT_EQ(adapter.recognises(head_of(cut)), Confidence::yes);
  EXPECT_EQ(adapter.project("", head_of(cut)), "long");
  for (const std::string_view other :
       {R"({"session_id":"a","ts":1767323045,"text":"t"})", R"({"role":"user","content":"hi"})",
        R"({"type":"message","id":"a","message":{"role":"user","content":"x"}})",
        R"({"type":"user","message":{"role":"user","content":"x"},"sessionId":"s"})",
        R"({"type":"system","subtype":"init","session_id":"s"})", "[]", ""}) {
    EXPECT_EQ(adapter.recognises(other), Confidence::no) << other;
  }
}

TEST(Codex, KnowsItsFoldersAndWhatToLeave) {
  const Adapter& adapter = *find_adapter("codex");
  const auto environment = [](std::string_view name) -> std::optional<std::string> {
    if (name == "HOME") return "/h";
    return std::nullopt;
  };
  EXPECT_EQ(adapter.folders(environment),
            (std::vector<std::string>{"/h/.codex/sessions", "/h/.codex/archived_sessions"}));
  EXPECT_EQ(adapter.folders([](std::string_view name) -> std::optional<std::string> {
    return name == "CODEX_HOME" ? "/c" : "/h";
  }),
            (std::vector<std::string>{"/c/sessions", "/c/archived_sessions"}));
  EXPECT_EQ(adapter.ignore_reason("/h/.codex/history.jsonl"), "prompt-history");
  EXPECT_EQ(adapter.ignore_reason("/h/.codex/session_index.jsonl"), "index");
  EXPECT_EQ(adapter.ignore_reason("/h/.codex/sessions/rollout-x.jsonl"), std::nullopt);
  EXPECT_EQ(adapter.project("", meta()), "p");
}

}  // namespace
}  // namespace weft::formats
