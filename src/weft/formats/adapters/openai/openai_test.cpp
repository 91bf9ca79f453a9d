#include <gtest/gtest.h>

#include "weft/formats/adapters/openai/openai_for_test.hpp"

namespace weft::formats {
namespace {

using openai_log::authored;
using openai_log::completion;
using openai_log::fixture;
using openai_log::item;
using openai_log::read;
using openai_log::request;
using openai_log::response;
using transcript::Text;
using transcript::Thinking;

TEST(OpenAi, AnAgentsCallsAreOneConversationWithAlternativesAsBranches) {
  const Collector collector = read(fixture("agent.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(outline(conversation),
            "system #1: *Be brief. | human #1.1: What grows here? | assistant chatcmpl-1: thinking "
            "call result Beans. | human #3: And there? | assistant chatcmpl-3: Peas. | assistant "
            "chatcmpl-3/1<#3: Nothing.");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{60, 11, 4, 0}));
  EXPECT_EQ(conversation.facts.tools, (std::vector<std::string>{"look"}));
  EXPECT_EQ(conversation.facts.account, "someone");
  EXPECT_EQ(conversation.heading.provider, "openai");
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(std::get<ToolCall>(blocks[3].body).input, (json::value{{"at", "garden"}}));
  EXPECT_EQ(std::get<ToolResult>(blocks[4].body).call_id, "call_1");
  EXPECT_EQ(blocks[3].recorded, 1772359201000);
  EXPECT_EQ(blocks[4].recorded, parse_iso8601("2026-03-01T10:00:02Z"));
  const auto& beans = std::get<Text>(blocks[5].body);
  ASSERT_EQ(beans.citations.size(), 1u);
  EXPECT_EQ(beans.citations[0].url, "https://beans.test");
  EXPECT_EQ(beans.citations[0].indices, (std::pair<std::uint64_t, std::uint64_t>{0, 5}));
  EXPECT_EQ(blocks[5].model, "gpt-test-1");
  EXPECT_TRUE(collector.skipped.empty());
}

TEST(OpenAi, AResponseHasItsItemsInOrder) {
  const Collector collector = read(fixture("response.json"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id, "resp_hut");
  EXPECT_EQ(outline(conversation),
            "system #1: *Answer in one line. | assistant resp_hut: thinking call result redacted "
            "call result The hut is open. I will not guide you. *unknown");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{40, 12, 8, 0}));
  EXPECT_EQ(conversation.facts.tools,
            (std::vector<std::string>{"web_search", "mcp__maps", "mcp__maps__route"}));
  const auto blocks = blocks_of(conversation);
  const auto& thinking = std::get<Thinking>(blocks[1].body);
  EXPECT_EQ(thinking.summaries, (std::vector<std::string>{"Search first."}));
  EXPECT_EQ(thinking.signature, "b3BhcXVl");
  EXPECT_EQ(std::get<ToolCall>(blocks[2].body).input,
            (json::value{{"type", "search"}, {"query", "mountain hut"}}));
  EXPECT_EQ(std::get<ToolResult>(blocks[3].body).call_id, "ws_1");
  const auto& routed = std::get<ToolResult>(blocks[6].body);
  EXPECT_TRUE(routed.is_error);
  EXPECT_EQ(routed.text, "no path");
  EXPECT_EQ(routed.name, "mcp__maps__route");
  // All of it is one step.
  EXPECT_EQ(blocks[1].message_id, "resp_hut");
  EXPECT_EQ(blocks[7].message_id, "resp_hut");
  // Nothing in it says which response it was in.
  EXPECT_EQ(std::get<transcript::Unknown>(blocks[9].body).raw,
            (json::value{{"type", "star_map_call"}, {"stars", 7}}));
}

TEST(OpenAi, AChatStreamIsWhatItsChunksMakeUp) {
  const Collector collector = read(fixture("chat.sse"));
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(outline(conversation), "assistant chatcmpl-s: thinking I look. call call");
  EXPECT_EQ(conversation.heading.provider, "");
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(std::get<Thinking>(blocks[0].body).text, "Which river?");
  EXPECT_EQ(std::get<ToolCall>(blocks[2].body).id, "call_a");
  EXPECT_EQ(std::get<ToolCall>(blocks[2].body).input, (json::value{{"of", "Spree"}}));
  EXPECT_EQ(std::get<ToolCall>(blocks[3].body).name, "width");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{10, 5, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"prompt filter", 1}, {"end of stream", 1}}));
}

TEST(OpenAi, AResponseStreamSaysEverythingOnce) {
  const Collector collector = read(fixture("response.chunks.jsonl"));
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(outline(conversation), "assistant resp_s: thinking Nine ducks.");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{7, 3, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1}}));
}

TEST(OpenAi, AStreamAndItsBodyAreOneAnswer) {
  const std::string stream = fixture("response.chunks.jsonl");
  const std::string whole = response("resp_s", "",
                                     R"({"type":"reasoning","id":"rs_1","summary":[{"type":)"
                                     R"("summary_text","text":"Count them."}]},)" +
                                         item("msg_1", "Nine ducks."));
  const Collector collector = read(stream + whole);
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant resp_s: thinking Nine ducks.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"progress", 1}, {"duplicate", 1}}));
}

TEST(OpenAi, ALineOfTrainingIsAConversation) {
  const Collector collector = read(fixture("training.jsonl"));
  ASSERT_EQ(collector.conversations.size(), 3u);
  EXPECT_EQ(outline(collector.conversations[0]),
            "system #1: *You rhyme. | human #1.1: cat | assistant #1.2: hat");
  EXPECT_EQ(outline(collector.conversations[2]),
            "system #3: *You rhyme. | human #3.1: this attachment | assistant #3.3: kiss");
  EXPECT_EQ(std::get<transcript::Attachment>(blocks_of(collector.conversations[2])[2].body).mime,
            "image/png");
}

TEST(OpenAi, AStreamThatBreaksOffSaysSo) {
  const Collector collector = read(fixture("broken-chunks.jsonl"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant chatcmpl-b: Half of it *failure");
  ASSERT_EQ(collector.skipped.size(), 1u);
  EXPECT_EQ(collector.skipped[0].line, 2u);
}

TEST(OpenAi, AnAnswerAskedForAgainIsABranch) {
  const Collector collector =
      read(request(authored("user", "a")) + completion("c1", authored("assistant", "b")) +
           request(authored("user", "a")) + completion("c2", authored("assistant", "c")));
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human #1: a | assistant c1: b | assistant c2<#1: c");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(OpenAi, AResponseFollowsTheOneThatItNames) {
  const Collector collector = read(
      response("r1", "", item("m1", "one")) + response("r2", "r1", item("m2", "two")) +
      response("r3", "r1", item("m3", "three")) + response("r4", "elsewhere", item("m4", "four")));
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[0]), "assistant r1: one two | assistant r3<r1: three");
  EXPECT_EQ(outline(collector.conversations[1]), "assistant r4: four");
}

TEST(OpenAi, ARequestGoesOnFromTheResponseThatItNames) {
  const std::string next = R"({"model":"gpt-x","previous_response_id":"r1","input":"more"})";
  const Collector collector = read(R"({"model":"gpt-x","input":"begin","instructions":"Be."})"
                                   "\n" +
                                   response("r1", "", item("m1", "one")) + next + "\n" +
                                   response("r2", "r1", item("m2", "two")) + next + "\n");
  ASSERT_EQ(collector.conversations.size(), 1u);
  EXPECT_EQ(outline(collector.conversations[0]),
            "system #1: *Be. | human #1.1: begin | assistant r1: one | human #3: more | assistant "
            "r2: two");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(OpenAi, AnItemThatIsOnlyReferredToIsNotSaidAgain) {
  const Collector collector = read(
      R"({"model":"gpt-x","input":[{"role":"user","content":"a"}]})"
      "\n" +
      response("r1", "", item("m1", "one")) +
      R"({"model":"gpt-x","input":[{"role":"user","content":"a"},{"type":"item_reference","id":"m1"},)"
      R"({"role":"user","content":"b"}]})"
      "\n");
  ASSERT_EQ(collector.conversations.size(), 1u);
  EXPECT_EQ(outline(collector.conversations[0]), "human #1: a | assistant r1: one | human #3: b");
}

TEST(OpenAi, ADialogueHasOneConversationWhereTheyNameIt) {
  const Collector collector = read(R"({"model":"gpt-x","conversation":"conv_1","input":"a"})"
                                   "\n"
                                   R"({"model":"gpt-x","conversation":{"id":"conv_2"},"input":"a"})"
                                   "\n"
                                   R"({"model":"gpt-x","conversation":"conv_1","input":"b"})"
                                   "\n");
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(collector.conversations[0].heading.session_id, "conv_1");
  EXPECT_EQ(outline(collector.conversations[0]), "human #1: a | human #3<: b");
}

}  // namespace
}  // namespace weft::formats
