#include <gtest/gtest.h>

#include <algorithm>

#include "weft/formats/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Collector;
using transcript::Conversation;
using transcript::Origin;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Usage;
using Counts = std::map<std::string, int>;

std::string quoted(std::string_view text) {
  std::string out;
  append_canonical_string(out, text);
  return out;
}
// One line of a rollout. `second` is its time.
std::string line(std::string_view type, std::string_view payload, int second = 1) {
  return R"({"timestamp":"2026-09-01T08:00:)" + std::string(second < 10 ? "0" : "") +
         std::to_string(second) + R"(.000Z","type":")" + std::string(type) + R"(","payload":{)" +
         std::string(payload) + "}}\n";
}
std::string meta(std::string_view members = R"("id":"s1","cwd":"/w/p")") {
  return line("session_meta", members, 0);
}
std::string item(std::string_view members, int second = 1) {
  return line("response_item", members, second);
}
std::string event(std::string_view type, std::string_view members = "", int second = 1) {
  std::string payload = R"("type":")" + std::string(type) + '"';
  if (!members.empty()) payload += "," + std::string(members);
  return line("event_msg", payload, second);
}
std::string user(std::string_view words, int second = 1) {
  return item(R"("type":"message","role":"user","content":[{"type":"input_text","text":)" +
                  quoted(words) + "}]",
              second);
}
std::string answer(std::string_view words, int second = 1) {
  return item(R"("type":"message","role":"assistant","content":[{"type":"output_text","text":)" +
                  quoted(words) + "}]",
              second);
}
std::string shown_user(std::string_view words, int second = 1) {
  return event("user_message", R"("message":)" + quoted(words), second);
}
std::string shown_answer(std::string_view words, int second = 1) {
  return event("agent_message", R"("message":)" + quoted(words), second);
}
std::string call(std::string_view id, int second = 1) {
  return item(R"("type":"function_call","name":"shell","arguments":"{\"a\":1}","call_id":")" +
                  std::string(id) + '"',
              second);
}
std::string output(std::string_view id, std::string_view json, int second = 1) {
  return item(R"("type":"function_call_output","call_id":")" + std::string(id) + R"(","output":)" +
                  std::string(json),
              second);
}
std::string tokens(int total, int last, int second = 1) {
  const auto usage = [](int count) {
    return R"({"input_tokens":)" + std::to_string(count) +
           R"(,"cached_input_tokens":1,"output_tokens":2})";
  };
  return event("token_count",
               R"("info":{"total_token_usage":)" + usage(total) + R"(,"last_token_usage":)" +
                   usage(last) + "}",
               second);
}

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("codex", bytes, info);
}
std::string outline_of(std::string_view bytes) { return outline(read(bytes).conversations.at(0)); }
ToolResult result_of(std::string_view json) {
  const Collector collector = read(meta() + call("c") + output("c", json));
  return std::get<ToolResult>(blocks_of(collector.conversations.at(0)).at(1).body);
}

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

TEST(Codex, ItsSystemPromptIsTheProgramsFirstWord) {
  EXPECT_EQ(outline_of(meta(R"("id":"a","base_instructions":{"text":"Be kind."})") + user("hi")),
            "system #1: *Be kind. | human #2: hi");
  EXPECT_EQ(outline_of(meta(R"("id":"a","instructions":"Be brief.")") + user("hi")),
            "system #1: *Be brief. | human #2: hi");
}

TEST(Codex, WhatIsInjectedAsTheUserIsTheProgramsWord) {
  for (const std::string_view words :
       {"<environment_context>x", "<user_instructions>x", "# AGENTS.md instructions for /w",
        "<turn_aborted>", "<subagent_notification>x", "<codex_internal_context a>"}) {
    const Collector collector = read(meta() + user(words) + user("hi"));
    EXPECT_EQ(collector.conversations.at(0).turns.at(0).head.role, transcript::Role::system)
        << words;
    EXPECT_EQ(collector.conversations.at(0).facts.title, "hi");
  }
  EXPECT_EQ(outline_of(meta() + item(R"("type":"message","role":"developer","content":"d")")),
            "system #2: *d");
}

TEST(Codex, NewerFilesSayOfEachPartWhereItComesFrom) {
  EXPECT_EQ(
      outline_of(
          meta() +
          item(
              R"("type":"message","role":"user","id":"m","content":[{"type":"input_text","text":"ctx"},)"
              R"({"type":"input_text","text":"<environment_context> is what?"}],)"
              R"("internal_chat_message_metadata_passthrough":{"content_item_metadata":)"
              R"([{"provenance":{"type":"harness"}},{"provenance":{"type":"user"}}]})")),
      "human m: *ctx text");
  EXPECT_EQ(outline_of(meta() +
                       item(R"("type":"message","role":"user","content":[)"
                            R"({"type":"input_text","text":"a"},{"type":"input_text","text":"b"}],)"
                            R"("internal_chat_message_metadata_passthrough":)"
                            R"({"content_item_kinds":["user.text","hooks.context"]})")),
            "human #2: a *b");
}

TEST(Codex, AnEditorsContextIsNotThePersonsWord) {
  EXPECT_EQ(outline_of(meta() +
                       user("# Context from my IDE setup:\n\n## My request for Codex:\nGo on\n")),
            "human #2: *text Go on");
}

TEST(Codex, APersonsShellCommandIsTheirsAndWhatItPrintedIsNot) {
  EXPECT_EQ(outline_of(meta() +
                       user("<user_shell_command>\n<command>\nls\n</command>\n<result>\n"
                            "a.txt\n</result>\n</user_shell_command>") +
                       answer("ok")),
            "human #2: !ls | assistant #2.1: *a.txt ok");
}

TEST(Codex, AnEventBeforeOrAfterItsItemIsAMirror) {
  const Collector before =
      read(meta() + shown_user("hi") + user("hi", 2) + shown_answer("yo", 3) + answer("yo", 4));
  const Collector after =
      read(meta() + user("hi") + shown_user("hi", 2) + answer("yo", 3) + shown_answer("yo", 4));
  for (const Collector& collector : {before, after}) {
    EXPECT_EQ(blocks_of(collector.conversations.at(0)).size(), 2u);
    EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 2}}));
  }
  // An item takes over the place of the event that was there first.
  EXPECT_EQ(outline(before.conversations[0]), "human #2: hi | assistant #4: yo");
  EXPECT_EQ(outline(after.conversations[0]), "human #2: hi | assistant #4: yo");
}

TEST(Codex, AMirrorMayDifferALittle) {
  EXPECT_EQ(outline_of(meta() + user("hi") + shown_answer("yo") + answer("yo [1]", 2)),
            "human #2: hi | assistant #3: yo [1]");
}

TEST(Codex, TheSameWordsTwiceAreSaidTwice) {
  EXPECT_EQ(outline_of(meta() + user("go") + shown_user("go") + answer("a", 2) + user("go", 3) +
                       shown_user("go", 3) + answer("b", 4)),
            "human #2: go | assistant #4: a | human #5: go | assistant #7: b");
  EXPECT_EQ(outline_of(meta() + shown_user("go") + shown_answer("a", 2) + shown_user("go", 3)),
            "human #2: go | assistant #3: a | human #4: go");
}

TEST(Codex, AnEventWithoutItemIsToldWhereItStood) {
  EXPECT_EQ(outline_of(meta() + shown_user("hi") + call("c", 2) + output("c", R"("x")", 3) +
                       shown_answer("yo", 4) + event("task_complete")),
            "human #2: hi | assistant #3: call result yo");
}

TEST(Codex, WhatWaitsAtTheEndIsToldAndLaterRestatedInItsPlace) {
  const Adapter& adapter = *find_adapter("codex");
  const std::string first = meta() + user("hi") + event("agent_reasoning", R"("text":"t")", 2);
  const std::string second = item(
      R"("type":"reasoning","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"e")",
      3);
  Collector so_far;
  read_all(adapter, {}, first, so_far);
  Collector whole;
  read_all(adapter, {}, first + second, whole);
  const auto early = blocks_of(so_far.conversations.at(0)),
             late = blocks_of(whole.conversations.at(0));
  ASSERT_EQ(early.size(), 2u);
  ASSERT_EQ(late.size(), 2u);
  EXPECT_EQ(early[1].source_id, "#3");
  EXPECT_EQ(late[1].source_id, "#3");
  EXPECT_EQ(std::get<transcript::Thinking>(late[1].body).signature, "e");
}

TEST(Codex, LongEventsDoNotWait) {
  const std::string words(40'000, 'x');
  const Collector collector = read(meta() + shown_user(words) + user(words, 2) + answer("a", 3));
  EXPECT_EQ(blocks_of(collector.conversations.at(0)).size(), 2u);
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 1}}));
}

TEST(Codex, ReasoningIsSummariesTextOrOpaque) {
  const Collector collector = read(
      meta() +
      item(
          R"("type":"reasoning","summary":[{"type":"summary_text","text":"s"}],"encrypted_content":"e")") +
      item(R"("type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"t"}])") +
      item(R"("type":"reasoning","summary":[],"content":null,"encrypted_content":"e2")") +
      item(R"("type":"reasoning","summary":[])"));
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(std::get<transcript::Thinking>(blocks[0].body),
            (transcript::Thinking{.text = "", .signature = "e", .summaries = {"s"}}));
  EXPECT_EQ(std::get<transcript::Thinking>(blocks[1].body), (transcript::Thinking{.text = "t"}));
  EXPECT_EQ(std::get<transcript::RedactedThinking>(blocks[2].body).data, "e2");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"empty", 1}}));
}

TEST(Codex, CallsOfEveryKind) {
  const Collector collector = read(
      meta() + call("c1") +
      item(
          R"("type":"function_call","name":"t","namespace":"mcp__srv__","arguments":"oops","call_id":"c2")") +
      item(R"("type":"custom_tool_call","name":"apply_patch","input":"*** Begin","call_id":"c3")") +
      item(R"("type":"local_shell_call","call_id":"c4","action":{"command":["ls"]})") +
      item(R"("type":"web_search_call","id":"ws","action":{"query":"q"})") +
      item(R"("type":"tool_search_call","call_id":"c6","arguments":{"query":"q"})"));
  std::vector<std::string> seen;
  for (const auto& block : blocks_of(collector.conversations.at(0))) {
    const auto& made = std::get<ToolCall>(block.body);
    seen.push_back(made.id + " " + made.name + " " + canonical_json(made.input));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{
                      R"(c1 shell {"a":1})", R"(c2 mcp__srv__t "oops")",
                      R"(c3 apply_patch "*** Begin")", R"(c4 local_shell {"command":["ls"]})",
                      R"(ws web_search {"query":"q"})", R"(c6 tool_search {"query":"q"})"}));
}

TEST(Codex, ResultsInEveryFormThatTheyWereKeptIn) {
  EXPECT_EQ(result_of(R"("plain")").text, "plain");
  const ToolResult wrapped = result_of(R"("{\"output\":\"o\",\"metadata\":{\"exit_code\":2}}")");
  EXPECT_EQ(wrapped.text, "o");
  EXPECT_TRUE(wrapped.is_error);
  EXPECT_EQ(canonical_json(*wrapped.details), R"({"exit_code":2})");
  EXPECT_EQ(result_of(R"({"output":"o","metadata":{"exit_code":0}})").text, "o");
  const ToolResult refused = result_of(R"({"content":"no","success":false})");
  EXPECT_EQ(refused.text, "no");
  EXPECT_TRUE(refused.is_error);
  const ToolResult one = result_of(R"([{"type":"input_text","text":"x"}])");
  EXPECT_EQ(one.text, "x");
  EXPECT_FALSE(one.parts);
  const ToolResult two =
      result_of(R"([{"type":"input_text","text":"x"},{"type":"input_image","image_url":"u"}])");
  EXPECT_EQ(two.text, "x");
  EXPECT_EQ(two.parts->size(), 2u);
  EXPECT_TRUE(result_of(R"("Exit code: 1\nOutput:\nx")").is_error);
  EXPECT_FALSE(result_of(R"("Process exited with code 0\nOutput:\nExit code: 1")").is_error);
}

TEST(Codex, AToolsEventIsToldIfNoItemMakesTheCall) {
  const std::string end = event(
      "mcp_tool_call_end",
      R"("call_id":"c","invocation":{"server":"s","tool":"t","arguments":{"q":1}},"result":{"Ok":{"content":[{"type":"text","text":"r"}]}})");
  EXPECT_EQ(outline_of(meta() + user("hi") + end), "human #2: hi | assistant #3: call result");
  EXPECT_EQ(outline_of(meta() + user("hi") + call("c") + end + output("c", R"("r")")),
            "human #2: hi | assistant #3: call result");
}

TEST(Codex, ACompactionIsItsSummaryAndNeverItsHistory) {
  EXPECT_EQ(outline_of(meta() + user("hi") + answer("yo") +
                       line("compacted",
                            R"("message":"m","replacement_history":[{"type":"message",)"
                            R"("role":"user","content":[{"type":"input_text","text":"hi"}]}])") +
                       event("context_compacted")),
            "human #2: hi | assistant #3: yo compaction");
}

TEST(Codex, ARollbackBranchesOff) {
  EXPECT_EQ(outline_of(meta() + user("a") + answer("b", 2) + user("c", 3) + answer("d", 4) +
                       event("thread_rolled_back", R"("num_turns":1)", 5) + user("e", 6)),
            "human #2: a | assistant #3: b | human #4: c | assistant #5: d | human #7<#3: e");
  EXPECT_EQ(outline_of(meta() + user("a") + answer("b", 2) +
                       event("thread_rolled_back", R"("num_turns":1)", 5) + user("e", 6)),
            "human #2: a | assistant #3: b | human #5<: e");
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

TEST(Codex, AFailureIsToldOnce) {
  EXPECT_EQ(outline_of(meta() + user("hi") + event("error", R"("message":"no")") +
                       event("task_complete", R"("error":{"message":"no"})", 2)),
            "human #2: hi | assistant #3: *failure");
}

TEST(Codex, WhatComesLaterIsKept) {
  const Collector collector =
      read(meta() + line("hologram", R"("x":1)") + event("sneeze", R"("loud":true)") +
           item(R"("type":"smell","id":"i","of":"rain")"));
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(std::get<transcript::Unknown>(blocks[2].body).block_type, "smell");
  EXPECT_EQ(canonical_json(std::get<transcript::Unknown>(blocks[2].body).raw),
            R"({"of":"rain","type":"smell"})");
}

TEST(Codex, JsonThatNoValueHoldsIsKeptAsText) {
  const Collector collector =
      read(meta() +
           item(R"("type":"function_call","name":"n","call_id":"c","arguments":"{}","x":1e999)"));
  const auto blocks = blocks_of(collector.conversations.at(0));
  EXPECT_TRUE(std::get<transcript::Unknown>(blocks.at(0).body).raw_text);
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
  const std::string said = R"("type":"message","id":"m","role":"assistant","content":")";
  EXPECT_EQ(outline_of(meta() + item(said + "a\"") + item(said + "b\"", 2)), "assistant m: a b");
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

TEST(Codex, AnsweredByNoEventsAPromptHidesNoLaterOne) {
  EXPECT_EQ(outline_of(meta() + user("a") + answer("b", 2) + shown_user("c", 3) + call("x", 4)),
            "human #2: a | assistant #3: b | human #4: c | assistant #5: call");
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
    largest = std::max(largest, reader->save().size());
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
  EXPECT_EQ(adapter.leaves("/h/.codex/history.jsonl"), "prompt-history");
  EXPECT_EQ(adapter.leaves("/h/.codex/session_index.jsonl"), "index");
  EXPECT_EQ(adapter.leaves("/h/.codex/sessions/rollout-x.jsonl"), std::nullopt);
  EXPECT_EQ(adapter.project("", meta()), "p");
}

}  // namespace
}  // namespace weft::formats
