#include <algorithm>

#include "weft/formats/adapters/kimi/kimi_for_test.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Text;
using transcript::Thinking;

TEST(KimiWire, JoinsThePiecesOfWhatIsSaid) {
  const Conversation session =
      only(read(prompt("Hi.") + thinks("One, ") + thinks("two.") + says("Th") + says("ree.")));
  EXPECT_EQ(outline(session), "human #1: Hi. | assistant #2: thinking Three.");
  const Block& thought = session.turns[1].blocks[0];
  EXPECT_EQ(std::get<Thinking>(thought.body).text, "One, two.");
  EXPECT_EQ(thought.recorded, 1767225600250);
  EXPECT_EQ(session.turns[1].blocks[1].source_id, "#4");
}

TEST(KimiWire, ASignatureEndsAThought) {
  const Conversation session = only(read(thinks("One.", "\"sig\"") + thinks("Two.")));
  ASSERT_EQ(blocks_of(session).size(), 2u);
  EXPECT_EQ(std::get<Thinking>(blocks_of(session)[0].body).signature, "sig");
  EXPECT_EQ(std::get<Thinking>(blocks_of(session)[1].body).signature, std::nullopt);
}

TEST(KimiWire, WhatOthersDoBetweenDoesNotEndAText) {
  const Conversation session =
      only(read(calls("Shell", "c", "{}") + says("Still ") + gives("c", "out") + says("talking.")));
  EXPECT_EQ(outline(session), "assistant #1: call result Still talking.");
}

TEST(KimiWire, ALongTextIsToldInSeveralBlocksSoThatItsStateStaysSmall) {
  const std::string half(200'000, 'x');
  const Conversation session = only(read(says(half) + says(half) + says(half)));
  EXPECT_EQ(kinds_of(session), (Counts{{"text", 3}}));
}

TEST(KimiWire, JoinsTheArgumentsOfACallAcrossTheResultOfAnother) {
  const Conversation session =
      only(read(calls("Shell", "a", R"({\"x\": 1})") + calls("Shell", "b", R"({\"x\")") +
                gives("a", "one") + more(": 2}") + gives("b", "two")));
  EXPECT_EQ(outline(session), "assistant #1: call result call result");
  const Block& second = session.turns[0].blocks[2];
  EXPECT_EQ(std::get<ToolCall>(second.body).input, (json::object{{"x", 2}}));
  EXPECT_EQ(second.source_id, "#2");
}

TEST(KimiWire, KeepsArgumentsThatNeverEnded) {
  const Conversation session = only(read(calls("Shell", "a", R"({\"x\")")));
  EXPECT_EQ(std::get<ToolCall>(blocks_of(session)[0].body).input, json::value("{\"x\""));
}

TEST(KimiWire, ArgumentsOfNoCallAreNamed) {
  const Collector all = read(prompt("Hi.") + more("x"));
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"malformed: arguments of no call", 1}}));
}

TEST(KimiWire, WhatIsSaidInOneStepIsOneMessage) {
  const Conversation session =
      only(read(event("StepBegin", "{\"n\": 1}") + thinks("T") + calls("Shell", "a", "{}") +
                gives("a", "o") + event("StepBegin", "{\"n\": 2}") + says("Done.")));
  const auto blocks = blocks_of(session);
  EXPECT_EQ(blocks[0].message_id, "#1");
  EXPECT_EQ(blocks[1].message_id, "#1");
  EXPECT_EQ(blocks[3].message_id, "#5");
}

TEST(KimiWire, AnAgentIsAConversationOfItsOwn) {
  const Collector all = read(
      prompt("Go.") + calls("Agent", "c1", "{}") +
          agent("a7", "c1", "TurnBegin", R"({"user_input": "Count."})") +
          agent("a7", "c1", "ContentPart", R"({"type": "text", "text": "Th"})") + says("Wait.") +
          agent("a7", "c1", "ContentPart", R"({"type": "text", "text": "ree."})") +
          agent("a7", "c1", "StatusUpdate", R"({"token_usage": {"input_other": 7, "output": 1}})"),
      lies_in("/k/sessions/md5/s1", "wire.jsonl"));
  ASSERT_EQ(all.conversations.size(), 2u);
  EXPECT_EQ(outline(all.conversations[0]), "human #1: Go. | assistant #2: call Wait.");
  EXPECT_EQ(all.conversations[0].facts.usage, std::nullopt);
  EXPECT_EQ(all.conversations[0].spawned,
            (std::vector<Spawned>{{.call_id = "c1"}, {.call_id = "c1", .agent = "a7"}}));
  const Conversation& agents = all.conversations[1];
  EXPECT_EQ(agents.heading.session_id, "s1");
  EXPECT_EQ(agents.heading.source, "subagent:a7");
  EXPECT_EQ(outline(agents), "system #3: *Count. | assistant #4: Three.");
  EXPECT_EQ(agents.facts.usage, (Usage{.input = 7, .output = 1}));
  EXPECT_EQ(agents.origins,
            (std::vector<Origin>{{.session_id = "s1", .call_id = "c1", .agent = "a7"}}));
}

TEST(KimiWire, AnAgentWithALogOfItsOwnIsReadThere) {
  const std::string lines = calls("Agent", "c1", "{}") +
                            agent("a7", "c1", "ContentPart", R"({"type": "text", "text": "x"})");
  const Collector all = read(
      lines, lies_in("/k/sessions/md5/s1", "wire.jsonl", {{"subagents/a7/wire.jsonl", says("x")}}));
  EXPECT_EQ(only(all).spawned.back(), (Spawned{.call_id = "c1", .agent = "a7"}));
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"mirror", 1}}));

  const Conversation own =
      only(read(says("x"), lies_in("/k/sessions/md5/s1/subagents/a7", "wire.jsonl")));
  EXPECT_EQ(own.heading.session_id, "s1");
  EXPECT_EQ(own.heading.source, "subagent:a7");
  EXPECT_EQ(own.origins, (std::vector<Origin>{{.session_id = "s1", .agent = "a7"}}));
}

TEST(KimiWire, ManyAgentsAreToldThoughFewAreRemembered) {
  std::string lines = prompt("Go.");
  for (int i = 0; i < 100; ++i) {
    lines += agent("a" + std::to_string(i), "c", "ContentPart", R"({"type": "text", "text": "x"})");
  }
  EXPECT_EQ(read(lines).conversations.size(), 101u);
}

TEST(KimiWire, WhatAPersonSaysToARequestIsTheirs) {
  const Collector all = read(
      calls("Shell", "a", "{}") + event("ApprovalRequest", R"({"id": "r", "tool_call_id": "a"})") +
      event("ApprovalResponse", R"({"request_id": "r", "response": "reject", "feedback": "No."})") +
      event("ApprovalResponse", R"({"request_id": "r", "response": "approve"})"));
  EXPECT_EQ(outline(only(all)), "assistant #1: call | human #3: No.");
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"internal", 2}}));
}

TEST(KimiWire, KeepsWhatIsAskedByTheWayAndWhatTheProgramNotes) {
  const Collector all = read(prompt("Hi.") + event("BtwBegin", R"({"question": "And you?"})") +
                             event("BtwEnd", R"({"response": "Fine."})") +
                             event("Notification", R"({"title": "Done", "body": "task 1"})") +
                             event("Strange", R"({"x": 1})"));
  EXPECT_EQ(outline(only(all)),
            "human #1: Hi. And you? | assistant #3: Fine. *Done\ntask 1 *unknown");
}

TEST(KimiWire, CountsWhatEachStepUsed) {
  const std::string status = event(
      "StatusUpdate",
      R"({"token_usage": {"input_other": 1, "output": 2, "input_cache_read": 3, "input_cache_creation": 4}})");
  const Collector all =
      read(prompt("Hi.") + status + status + event("StatusUpdate", R"({"plan_mode": true})"));
  EXPECT_EQ(only(all).facts.usage, (Usage{2, 4, 6, 8}));
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"progress", 1}}));
}

TEST(KimiWire, AResultKeepsItsMessageAndWhatWasShown) {
  const Conversation session = only(read(event(
      "ToolResult",
      R"({"tool_call_id": "a", "return_value": {"is_error": true, "output": "out", "message": "failed", "display": [{"type": "brief"}], "extras": null}})")));
  const auto result = std::get<ToolResult>(blocks_of(session)[0].body);
  EXPECT_EQ(result.text, "out");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.details,
            (json::object{{"message", "failed"},
                          {"display", json::array{json::object{{"type", "brief"}}}}}));
}

TEST(KimiWire, ItsTitleIsBesideIt) {
  const Conversation session =
      only(read(prompt("Hi."), lies_in("/k/sessions/md5/s1", "wire.jsonl",
                                       {{"state.json", R"({"custom_title": "Greetings"})"}})));
  EXPECT_EQ(session.facts.title, "Greetings");
  EXPECT_EQ(session.heading.session_id, "s1");
  EXPECT_EQ(session.heading.program, "kimi-cli");
}

TEST(KimiWire, WithoutAFolderItIsNamedByItsFirstEvent) {
  const std::string header = "{\"type\": \"metadata\", \"protocol_version\": \"1.9\"}\n";
  EXPECT_NE(only(read(header + prompt("Hi."))).heading.session_id,
            only(read(header + prompt("Ho."))).heading.session_id);
}

TEST(KimiWire, GoesOnBehindALineThatWasTorn) {
  const Collector all = read(prompt("Hi.") + "{\"timestamp\": 17" + says("Here.") + says(" I am."));
  EXPECT_EQ(outline(only(all)), "human #1: Hi. | assistant #2: Here. I am.");
  EXPECT_EQ(all.skipped.size(), 1u);
}

constexpr std::string_view kContext = R"({"role": "_system_prompt", "content": "Be kind."}
{"role": "_checkpoint", "id": 0}
{"role": "user", "content": "Hi."}
{"role": "user", "content": "<system-reminder>Be brief.</system-reminder>"}
{"role": "assistant", "content": [{"type": "think", "think": "Hm."}, {"type": "text", "text": "Ho."}], "tool_calls": [{"type": "function", "id": "a", "function": {"name": "Shell", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "a", "content": "<system>ERROR: no</system>"}
)";

TEST(KimiContext, IsReadWhereThereIsNoWire) {
  const Collector all = read(kContext, lies_in("/k/sessions/md5/s1", "context.jsonl"));
  EXPECT_EQ(
      outline(only(all)),
      "system #c1: *Be kind. | human #c3: Hi. | assistant #c4: *text thinking Ho. call result");
  EXPECT_TRUE(std::get<ToolResult>(blocks_of(only(all)).back().body).is_error);
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"internal", 1}}));
}

TEST(KimiContext, TellsOnlyWhatItsWireHasNot) {
  const std::string wire =
      prompt("Hi.") + thinks("Hm.") + says("Ho.") + calls("Shell", "a", "{}") + gives("a", "no");
  const Collector all =
      read(kContext, lies_in("/k/sessions/md5/s1", "context.jsonl", {{"wire.jsonl", wire}}));
  EXPECT_EQ(outline(only(all)), "system #c1: *Be kind. *text");
  EXPECT_EQ(only(all).heading.session_id, "s1");
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"internal", 1}, {"mirror", 3}}));
}

TEST(KimiContext, TellsWhatCameAfterItsWireBrokeOff) {
  const std::string wire = prompt("Hi.") + thinks("Hm.");
  const Collector all =
      read(kContext, lies_in("/k/sessions/md5/s1", "context.jsonl", {{"wire.jsonl", wire}}));
  EXPECT_EQ(outline(only(all)), "system #c1: *Be kind. *text | assistant #c5: Ho. call result");
  EXPECT_EQ(only(all).turns[1].blocks[0].index, 1u);  // its place in the message stays
}

TEST(KimiContext, WhatACommandBecameIsNoPromptOfItsOwn) {
  const Collector all = read(
      kContext, lies_in("/k/sessions/md5/s1", "context.jsonl", {{"wire.jsonl", prompt("/init")}}));
  EXPECT_EQ(only(all).turns[1].head.role, transcript::Role::assistant);
}

TEST(KimiContext, AWireWithoutWordsIsNoMirror) {
  const std::string wire = R"({"timestamp": 1, "message": {"type": "TurnBegin"}})";
  const Collector all =
      read(kContext, lies_in("/k/sessions/md5/s1", "context.jsonl", {{"wire.jsonl", wire}}));
  EXPECT_EQ(only(all).turns.size(), 3u);
}

TEST(KimiContext, WhatIsAppendedBesideAWireIsNotCompared) {
  const Adapter& adapter = *find_adapter("kimi");
  const SourceInfo info =
      lies_in("/k/sessions/md5/s1", "context.jsonl", {{"wire.jsonl", prompt("Hi.")}});
  Collector all;
  const auto first = adapter.open(info);
  first->read({.text = R"({"role": "user", "content": "Hi."})"}, all);
  const auto second = adapter.open(info);
  ASSERT_TRUE(second->restore(first->save()));
  second->read({.text = R"({"role": "assistant", "content": "Not written yet."})"}, all);
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"mirror", 2}}));
}

constexpr std::string_view kCompacted =
    R"({"role": "user", "content": [{"type": "text", "text": "<system>Previous context has been compacted. Here is the compaction output:</system>"}, {"type": "text", "text": "We said hello."}]})";

TEST(KimiContext, KeepsWhatACompactionCameTo) {
  for (const std::string_view name : {"context.jsonl", "context_2.jsonl"}) {
    const Collector all = read(kCompacted, lies_in("/k/sessions/md5/s1", std::string(name),
                                                   {{"wire.jsonl", prompt("Hi.")}}));
    const Conversation session = only(all);
    EXPECT_EQ(session.heading.session_id, "s1");
    EXPECT_EQ(std::get<transcript::Compaction>(blocks_of(session)[0].body).summary,
              "We said hello.");
    EXPECT_TRUE(session.origins.empty());
  }
}

TEST(KimiContext, OneThatWasKeptIsASessionThatTheNextGoesOnFrom) {
  const Files files = {{"context_1.jsonl", "x"}, {"context_2.jsonl", "x"}};
  const Conversation last = only(read(kContext, lies_in("/k/s1", "context.jsonl", files)));
  EXPECT_EQ(last.heading.session_id, "s1");
  EXPECT_EQ(last.origins,
            (std::vector<Origin>{{.kind = Origin::Kind::continued, .session_id = "s1/context_2"}}));
  const Conversation first = only(read(kContext, lies_in("/k/s1", "context_1.jsonl", files)));
  EXPECT_EQ(first.heading.session_id, "s1/context_1");
  EXPECT_TRUE(first.origins.empty());
}

TEST(KimiContext, InTheBeginningItsNameWasTheSessions) {
  const std::string session = "0a1b2c3d-0000-4000-8000-00000000000f";
  EXPECT_EQ(only(read(kContext, lies_in("/k/md5", session + ".jsonl"))).heading.session_id,
            session);
}

}  // namespace
}  // namespace weft::formats::kimi
