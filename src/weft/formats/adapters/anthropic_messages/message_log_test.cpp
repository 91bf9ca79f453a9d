#include <gtest/gtest.h>

#include "weft/formats/apis/anthropic/body.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("anthropic-messages", bytes, info);
}
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/anthropic_messages" /
                   name)
      .value();
}
Confidence sure_of(std::string_view head) {
  return find_adapter("anthropic-messages")->recognises(head);
}

std::string request(std::string_view messages) {
  return R"({"model":"claude-x","max_tokens":9,"messages":[)" + std::string(messages) + "]}";
}
std::string response(std::string_view id, std::string_view words) {
  return R"({"id":")" + std::string(id) +
         R"(","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text",)"
         R"("text":")" +
         std::string(words) + R"("}],"usage":{"input_tokens":1,"output_tokens":2}})";
}
std::string user(std::string_view words) {
  return R"({"role":"user","content":")" + std::string(words) + R"("})";
}
std::string assistant(std::string_view words) {
  return R"({"role":"assistant","content":")" + std::string(words) + R"("})";
}

TEST(AnthropicMessages, AnEventIsSeenByItsFirstMember) {
  using anthropic::begins_as_event;
  EXPECT_TRUE(begins_as_event(R"({"type":"ping"})"));
  EXPECT_TRUE(begins_as_event(R"({"type": "message_stop","x":1})"));
  EXPECT_FALSE(begins_as_event(R"({"type":"message","role":"assistant"})"));
  EXPECT_FALSE(begins_as_event(R"({"type":1,"x":"ping"})"));
  EXPECT_FALSE(begins_as_event(R"({"index":0,"type":"ping"})"));
  EXPECT_FALSE(begins_as_event(R"({"type":)"));
}

TEST(AnthropicMessages, AnEventIsReadWhereverItsTypeStands) {
  const std::string late = R"({"index":0,"type":"content_block_stop"})";
  EXPECT_EQ(reasons_of(read(late + "\n" + late + "\n").skipped),
            (Counts{{"malformed: an event of no message", 2}}));
}

TEST(AnthropicMessages, AResponseIsNamedByItsMessage) {
  const Collector collector = read(fixture("response.json"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id, "msg_bridge");
  EXPECT_EQ(conversation.heading.program, "anthropic-api");
  EXPECT_EQ(outline(conversation), "assistant msg_bridge: thinking The bridge is closed. unknown");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{12, 8, 0, 5}));
  EXPECT_EQ(blocks_of(conversation)[1].model, "claude-test-1");
  EXPECT_EQ(blocks_of(conversation)[1].message_id, "msg_bridge");
  EXPECT_TRUE(collector.skipped.empty());
}

TEST(AnthropicMessages, ARequestHasASystemTurnAndFacts) {
  const Collector collector = read(fixture("request.json"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_TRUE(conversation.heading.session_id.starts_with("b3:"));
  // The result goes to the answer that is running, before the person's words.
  EXPECT_EQ(outline(conversation),
            "system #1: *Be brief. | human #1.1: How late is it? | assistant #1.2: I look. call "
            "result | human #1.4: In Rome, I mean.");
  EXPECT_EQ(conversation.facts.tools, (std::vector<std::string>{"clock"}));
  EXPECT_EQ(conversation.facts.account, "someone");
}

TEST(AnthropicMessages, RequestsThatRestateAConversationGoOnWithIt) {
  const Collector collector = read(fixture("pairs.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(outline(conversation),
            "human #1: Name a tree. | assistant msg_t1: thinking Oak. | human #2: Another. | "
            "assistant msg_t2: Elm. | human #3<msg_t1: A smaller one. | assistant msg_t3: Hazel.");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{23, 12, 0, 0}));
  EXPECT_EQ(blocks_of(conversation)[0].recorded, parse_iso8601("2026-03-01T10:00:00Z"));
  EXPECT_EQ(blocks_of(conversation)[3].recorded, parse_iso8601("2026-03-01T10:00:05Z"));
}

TEST(AnthropicMessages, ARequestWithNoKnownBeginningIsAnotherConversation) {
  const std::string log = request(user("a")) + "\n" + response("m1", "b") + "\n" +
                          request(user("z")) + "\n" + response("m2", "y") + "\n" +
                          request(user("a") + "," + assistant("b") + "," + user("c")) + "\n";
  const Collector collector = read(log);
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[0]), "human #1: a | assistant m1: b | human #5: c");
  EXPECT_EQ(outline(collector.conversations[1]), "human #3: z | assistant m2: y");
}

TEST(AnthropicMessages, ARequestSentAgainSaysNothingNew) {
  const Collector collector = read(request(user("a")) + "\n" + request(user("a")) + "\n");
  EXPECT_EQ(outline(collector.conversations.at(0)), "human #1: a");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(AnthropicMessages, AnAnswerAskedForAgainIsABranch) {
  const Collector collector = read(request(user("a")) + "\n" + response("m1", "b") + "\n" +
                                   request(user("a")) + "\n" + response("m2", "c") + "\n");
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human #1: a | assistant m1: b | assistant m2<#1: c");
}

TEST(AnthropicMessages, AStreamGivesItsBlocks) {
  const Collector collector = read(fixture("stream.sse"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto blocks = blocks_of(collector.conversations[0]);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(std::get<transcript::Thinking>(blocks[0].body).text,
            "Which river is meant? \xF0\x9F\x98\x80");
  EXPECT_EQ(std::get<transcript::ToolCall>(blocks[2].body).input,
            (json::value{{"of", "the Spree"}}));
  EXPECT_EQ(blocks[2].source_id, "msg_river1");
  EXPECT_EQ(blocks[2].index, 2u);
  EXPECT_EQ(blocks[3].message_id, "msg_river2");
  EXPECT_EQ(collector.conversations[0].turns.size(), 1u);
  EXPECT_EQ(collector.conversations[0].facts.usage, (transcript::Usage{80, 40, 3, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"ping", 1}}));
  EXPECT_EQ(collector.repairs, 0u);
}

TEST(AnthropicMessages, AStreamThatBreaksOffSaysSo) {
  const Collector collector = read(fixture("broken-stream.sse"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant msg_cut: thinking *failure");
  const auto blocks = blocks_of(collector.conversations[0]);
  EXPECT_TRUE(std::get<transcript::Thinking>(blocks[0].body).cut_off);
  EXPECT_EQ(blocks[1].index, 1u);
  EXPECT_EQ(collector.skipped.size(), 2u);
}

TEST(AnthropicMessages, EventsWithoutEmptyLinesAreToldApart) {
  std::string stream = fixture("events.jsonl");
  std::string squeezed;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t end = stream.find('\n', at);
    squeezed += "data: " + stream.substr(at, end - at) + "\n";
    at = end + 1;
  }
  EXPECT_EQ(read(squeezed).conversations, read(stream).conversations);
}

TEST(AnthropicMessages, ResultsOfServerToolsAreTheTools) {
  const auto blocks = blocks_of(read(fixture("events.jsonl")).conversations.at(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[1].author, Author::tool);
  EXPECT_EQ(std::get<transcript::ToolResult>(blocks[1].body).call_id, "srvtoolu_1");
  EXPECT_EQ(std::get<transcript::Text>(blocks[2].body).citations.at(0).text, "Rye is sour.");
}

TEST(AnthropicMessages, APairMayHoldAStreamOrAnError) {
  const std::string request_body = request(user("a"));
  const std::string stream =
      R"("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",)"
      R"(\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",)"
      R"(\"text\":\"b\"}]}}\n\ndata: {\"type\":\"message_stop\"}\n\n")";
  EXPECT_EQ(outline(read(R"({"request":)" + request_body + R"(,"response":)" + stream + "}")
                        .conversations.at(0)),
            "human #1: a | assistant m1: b");
  EXPECT_EQ(outline(read(R"({"request":{"body":)" + request_body +
                         R"(},"response":{"status":529,"body":{"type":"error","error":)"
                         R"({"type":"overloaded_error","message":"Busy"}}}})")
                        .conversations.at(0)),
            "human #1: a | assistant #1.0: *failure");
}

TEST(AnthropicMessages, EachResultOfABatchIsAConversation) {
  const Collector collector =
      read(R"({"custom_id":"a","result":{"type":"succeeded","message":)" + response("m1", "b") +
           "}}\n" + R"({"custom_id":"c","result":{"type":"errored","error":{"type":"error",)" +
           R"("error":{"type":"invalid_request_error","message":"No."}}}})" + "\n" +
           R"({"custom_id":"d","result":{"type":"expired"}})" + "\n");
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(collector.conversations[0].heading.session_id, "m1");
  EXPECT_EQ(std::get<transcript::Failure>(blocks_of(collector.conversations[1])[0].body).text,
            "No.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"expired", 1}}));
}

TEST(AnthropicMessages, AListOfMessagesIsAConversation) {
  const Collector collector =
      read("[" + user("a") + ", " + assistant("b") +
               R"(, {"role":"user","content":[{"type":"text","text":"<system-reminder>x"}]}])",
           {.name = "x", .model = "claude-z"});
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human #1: a | assistant #2: b *<system-reminder>x");
  EXPECT_EQ(blocks_of(collector.conversations[0])[1].model, "claude-z");
}

TEST(AnthropicMessages, TakesWhatIsWholeOfABrokenRequest) {
  const std::string whole = request(user("a") + "," + assistant("b") + "," + user("c"));
  const Collector collector = read(whole.substr(0, whole.size() - 6));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human #1: a | assistant #1.1: b");
  EXPECT_FALSE(collector.skipped.empty());
}

TEST(AnthropicMessages, KeepsABlockThatNoValueCanHoldAsText) {
  const Collector collector = read(
      R"({"id":"m","type":"message","role":"assistant","model":"claude-x","content":[)"
      R"({"type":"tool_use","id":"t","name":"n","input":{"a":1e999}},{"type":"text","text":"b"}]})");
  const auto blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_NE(std::get<transcript::Unknown>(blocks[0].body).raw_text.value_or("").find("1e999"),
            std::string::npos);
}

TEST(AnthropicMessages, RecognisesItsOwnAndNoLookAlike) {
  EXPECT_EQ(sure_of(request(user("a"))), Confidence::yes);
  EXPECT_EQ(sure_of(response("m", "a")), Confidence::yes);
  EXPECT_EQ(sure_of("[" + user("a") + "]"), Confidence::maybe);
  EXPECT_EQ(sure_of(user("a") + "\n" + assistant("b")), Confidence::no);
  EXPECT_EQ(sure_of(R"({"model":"gpt-x","messages":[{"role":"user","content":"a"}]})"),
            Confidence::no);
  EXPECT_EQ(sure_of(R"({"model":"x","max_tokens":1,"messages":[{"role":"tool","content":"a"}]})"),
            Confidence::no);
  EXPECT_EQ(sure_of(R"([{"role":"human","content":"a"}])"), Confidence::no);
  EXPECT_EQ(sure_of("data: {\"choices\":[]}\n\n"), Confidence::no);
  EXPECT_EQ(sure_of("data: {\"type\":\"response.created\"}\n\n"), Confidence::no);
  EXPECT_EQ(sure_of(R"({"type":"message","id":"m","status":"completed","role":"assistant",)"
                    R"("content":[{"type":"output_text","text":"a"}]})"),
            Confidence::no);
  EXPECT_EQ(sure_of(R"({"id":"skill_1","display_title":"a"})"), Confidence::no);
}

TEST(AnthropicMessages, SkipsTextOutsideOfTheLog) {
  Collector collector;
  const auto reader = find_adapter("anthropic-messages")->open({});
  reader->read({.text = R"({"type":"ping"})", .line = 3, .stray = true}, collector);
  EXPECT_EQ(collector.skipped,
            (std::vector<transcript::Skipped>{{3, "malformed: stands outside of the log"}}));
}

}  // namespace
}  // namespace weft::formats
