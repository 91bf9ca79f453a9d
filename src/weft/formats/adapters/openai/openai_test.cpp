#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Collector;
using transcript::Failure;
using transcript::RedactedThinking;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using Counts = std::map<std::string, int>;

Collector read(std::string_view bytes, const SourceInfo& info = {}) {
  return read_with("openai", bytes, info);
}
std::string fixture(std::string_view name) {
  return read_file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/fixtures/openai" / name).value();
}
Confidence sure_of(std::string_view head) { return find_adapter("openai")->recognises(head); }

std::string request(std::string_view messages) {
  return R"({"model":"gpt-x","messages":[)" + std::string(messages) + "]}\n";
}
std::string authored(std::string_view role, std::string_view words) {
  return R"({"role":")" + std::string(role) + R"(","content":")" + std::string(words) + R"("})";
}
std::string completion(std::string_view id, std::string_view message) {
  return R"({"id":")" + std::string(id) +
         R"(","object":"chat.completion","created":1772359200,"model":"gpt-x","choices":[{"index":0,)"
         R"("finish_reason":"stop","message":)" +
         std::string(message) + R"(}],"usage":{"prompt_tokens":3,"completion_tokens":2}})" + "\n";
}
std::string response(std::string_view id, std::string_view before, std::string_view items) {
  return R"({"id":")" + std::string(id) +
         R"(","object":"response","created_at":1772359200,"status":"completed","model":"gpt-x",)"
         R"("previous_response_id":)" +
         (before.empty() ? "null" : "\"" + std::string(before) + "\"") + R"(,"output":[)" +
         std::string(items) + "]}\n";
}
std::string item(std::string_view id, std::string_view words) {
  return R"({"type":"message","id":")" + std::string(id) +
         R"(","role":"assistant","content":[{"type":"output_text","text":")" + std::string(words) +
         R"("}]})";
}
std::vector<transcript::Block> blocks_in(std::string_view bytes) {
  const Collector collector = read(bytes);
  return collector.conversations.empty() ? std::vector<transcript::Block>()
                                         : blocks_of(collector.conversations[0]);
}
std::vector<transcript::Block> blocks_of_message(std::string_view message) {
  return blocks_in(completion("c1", message));
}

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

TEST(OpenAi, ThoughtsAreFoundInEveryVendorsWords) {
  auto blocks = blocks_of_message(R"({"role":"assistant","content":"x","reasoning":"t"})");
  EXPECT_EQ(std::get<Thinking>(blocks.at(0).body).text, "t");
  // The details say what `reasoning` says, and more.
  blocks = blocks_of_message(
      R"({"role":"assistant","content":"x","reasoning":"t","reasoning_details":[)"
      R"({"type":"reasoning.text","text":"t","signature":"s"},)"
      R"({"type":"reasoning.summary","summary":"u"},{"type":"reasoning.encrypted","data":"e"}]})");
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(std::get<Thinking>(blocks[0].body), (Thinking{.text = "t", .signature = "s"}));
  EXPECT_EQ(std::get<Thinking>(blocks[1].body), (Thinking{.text = "", .summaries = {"u"}}));
  EXPECT_EQ(std::get<RedactedThinking>(blocks[2].body).data, "e");
  blocks = blocks_of_message(
      R"({"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},)"
      R"({"type":"text","text":"x"}]})");
  EXPECT_EQ(std::get<Thinking>(blocks.at(0).body).text, "t");
  EXPECT_EQ(std::get<Text>(blocks.at(1).body).text, "x");
}

TEST(OpenAi, AThoughtInTagsIsOneOnlyAtTheVeryStart) {
  auto blocks = blocks_of_message(authored("assistant", R"(<think>\nt\n</think>\n\nx)"));
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(std::get<Thinking>(blocks[0].body).text, "t");
  EXPECT_EQ(std::get<Text>(blocks[1].body).text, "x");
  blocks = blocks_of_message(authored("assistant", "x <think>t</think>"));
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(std::get<Text>(blocks[0].body).text, "x <think>t</think>");
  blocks = blocks_of_message(authored("assistant", "<think>t"));
  EXPECT_TRUE(std::get<Thinking>(blocks.at(0).body).cut_off);
}

TEST(OpenAi, ArgumentsThatAreNoObjectStayAsTheyWereWritten) {
  const auto input = [](std::string_view arguments) {
    const auto blocks = blocks_of_message(
        R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":)"
        R"({"name":"f","arguments":)" +
        std::string(arguments) + "}}]}");
    return std::get<ToolCall>(blocks.at(0).body).input;
  };
  EXPECT_EQ(input(R"("{\"a\":1}")"), (json::value{{"a", 1}}));
  EXPECT_EQ(input(R"("{\"a\":")"), json::value("{\"a\":"));
  EXPECT_EQ(input(R"("")"), json::value(""));
  EXPECT_EQ(input(R"("\"{}\"")"), json::value("\"{}\""));
  EXPECT_EQ(input(R"({"a":1})"), (json::value{{"a", 1}}));
}

TEST(OpenAi, OldFunctionsAndCustomToolsAreCallsToo) {
  const auto blocks = blocks_in(request(
      authored("user", "a") +
      R"(,{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},)"
      R"({"role":"function","name":"f","content":"done"},)"
      R"({"role":"assistant","tool_calls":[{"id":"k","type":"custom","custom":{"name":"g","input":"raw"}}]},)"
      R"({"role":"tool","tool_call_id":"k","content":[{"type":"text","text":"p"},{"type":"text","text":"q"}]})"));
  ASSERT_EQ(blocks.size(), 5u);
  EXPECT_EQ(std::get<ToolCall>(blocks[1].body).name, "f");
  EXPECT_EQ(std::get<ToolResult>(blocks[2].body).name, "f");
  EXPECT_EQ(std::get<ToolCall>(blocks[3].body).input, json::value("raw"));
  EXPECT_EQ(std::get<ToolResult>(blocks[4].body).text, "p\nq");
  EXPECT_EQ(blocks[4].author, Author::tool);
}

TEST(OpenAi, ARefusalIsWhatTheModelSaysAFilterIsNot) {
  auto blocks = blocks_of_message(R"({"role":"assistant","content":null,"refusal":"No."})");
  EXPECT_EQ(std::get<Text>(blocks.at(0).body).text, "No.");
  EXPECT_EQ(blocks[0].author, Author::model);
  std::string filtered = completion("c1", authored("assistant", "x"));
  filtered.replace(filtered.find("\"stop\""), 6, "\"content_filter\"");
  blocks = blocks_in(filtered);
  EXPECT_EQ(std::get<Failure>(blocks.at(1).body).text, "content_filter");
  EXPECT_EQ(blocks[1].author, Author::program);
}

TEST(OpenAi, AnErrorIsAFailure) {
  const auto blocks = blocks_in(
      R"({"error":{"message":"no quota","type":"insufficient_quota","param":null,"code":"q"}})");
  EXPECT_EQ(std::get<Failure>(blocks.at(0).body).text, "no quota");
}

TEST(OpenAi, CallsOfTheResponsesApiAndTheirResults) {
  const auto blocks = blocks_in(response(
      "r", "",
      R"({"type":"function_call","id":"f","call_id":"k1","name":"n","namespace":"s","arguments":"{}"},)"
      R"({"type":"shell_call","id":"sh","call_id":"k2","action":{"commands":["ls"]}},)"
      R"({"type":"shell_call_output","call_id":"k2","output":[{"stdout":"a\n","stderr":"b",)"
      R"("outcome":{"type":"exit","exit_code":1}}]},)"
      R"({"type":"code_interpreter_call","id":"ci","status":"completed","code":"1","outputs":)"
      R"([{"type":"logs","logs":"1"},{"type":"image","url":"https://i.test"}]},)"
      R"({"type":"image_generation_call","id":"ig","status":"completed","result":"aGk=",)"
      R"("output_format":"png","revised_prompt":"cat"},)"
      R"({"type":"tool_search_call","id":"ts","call_id":null,"arguments":{"q":1}},)"
      R"({"type":"tool_search_output","id":"to","call_id":null,"tools":[]},)"
      R"({"type":"mcp_approval_request","id":"mr","server_label":"l","name":"n","arguments":"{}"},)"
      R"({"type":"mcp_approval_response","approval_request_id":"mr","approve":false},)"
      R"({"type":"compaction","id":"cm","encrypted_content":"zip"})"));
  std::string kinds;
  for (const auto& block : blocks) kinds += std::string(kind_name(block.body)) + " ";
  EXPECT_EQ(kinds,
            "call call result call result attachment call result attachment call result call "
            "result compaction redacted ");
  EXPECT_EQ(std::get<ToolCall>(blocks.at(0).body).name, "s.n");
  const auto& printed = std::get<ToolResult>(blocks.at(2).body);
  EXPECT_EQ(printed.text, "a\nb");
  EXPECT_TRUE(printed.is_error);
  EXPECT_EQ(printed.call_id, "k2");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(4).body).text, "1");
  EXPECT_EQ(std::get<transcript::Attachment>(blocks.at(8).body).mime, "image/png");
  EXPECT_EQ(std::get<ToolCall>(blocks.at(9).body).id, "");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(10).body).name, "tool_search");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(12).body).call_id, "mr");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(12).body).text, "denied");
}

TEST(OpenAi, AnIdThatAServerGivesToAllItsAnswersNamesOnlyTheFirst) {
  const Collector collector =
      read(request(authored("user", "a")) + completion("same", authored("assistant", "b")) +
           request(authored("user", "a") + "," + authored("assistant", "b") + "," +
                   authored("user", "c")) +
           completion("same", authored("assistant", "d")));
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human #1: a | assistant same: b | human #3: c | assistant #4: d");
}

TEST(OpenAi, LinesOfABatchAreConversationsOfTheirOwn) {
  const auto answered = [](std::string_view id, std::string_view words) {
    std::string body = completion(id, authored("assistant", words));
    body.pop_back();
    return R"({"id":"batch_req_1","custom_id":"q","response":{"status_code":200,"body":)" + body +
           R"(},"error":null})" + "\n";
  };
  const Collector collector = read(answered("c1", "a") + answered("c2", "b"));
  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(outline(collector.conversations[1]), "assistant c2: b");
}

TEST(OpenAi, WhatProgramsPutAmongAPersonsWordsIsTheirs) {
  const Collector collector =
      read(request(R"({"role":"user","content":[{"type":"text","text":"<system-reminder>r"},)"
                   R"({"type":"text","text":"hi"}]})"));
  EXPECT_EQ(outline(collector.conversations.at(0)), "human #1: *<system-reminder>r hi");
}

TEST(OpenAi, APairMayHoldItsStreamAsOneText) {
  const Collector collector = read(
      R"({"request":{"model":"m","messages":[{"role":"user","content":"a"}]},"response":"data: )"
      R"({\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"b\"},\"finish_reason\":)"
      R"(\"stop\"}]}\n\ndata: [DONE]\n\n"})"
      "\n");
  EXPECT_EQ(outline(collector.conversations.at(0)), "human #1: a | assistant c: b");
  EXPECT_TRUE(collector.skipped.empty());
}

TEST(OpenAi, EventsWithNoEmptyLinesBetweenThemAreTaken) {
  const Collector collector = read(
      "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n"
      "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"b\"},"
      "\"finish_reason\":\"stop\"}]}\ndata: [DONE]\n");
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant c: ab");
}

TEST(OpenAi, WhatAValueCannotHoldIsKeptAsText) {
  auto blocks = blocks_in(
      R"({"model":"gpt-x","input":[{"type":"star_call","stars":1e999},{"role":"user","content":"a"}]})"
      "\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_TRUE(std::get<transcript::Unknown>(blocks[2].body).raw_text.has_value());
  // Where it is in nothing that is told, nothing is.
  blocks = blocks_in(R"({"model":"gpt-x","messages":[{"role":"user","content":"a"}],"seed":1e999})"
                     "\n");
  EXPECT_EQ(blocks.size(), 1u);
}

TEST(OpenAi, AnErrorInAStreamIsWhyItEnded) {
  const Collector collector = read(
      "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n"
      "data: {\"error\":{\"message\":\"overloaded\",\"code\":502}}\n\n");
  EXPECT_EQ(outline(collector.conversations.at(0)), "assistant c: a *failure");
  EXPECT_EQ(std::get<Failure>(blocks_of(collector.conversations[0])[1].body).text, "overloaded");
}

TEST(OpenAi, AnswersWithoutIdsHavePlacesOfTheirOwn) {
  const std::string chunk =
      R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]})"
      "\n";
  const auto blocks = blocks_in(chunk + chunk);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].source_id, "#1");
  EXPECT_EQ(blocks[1].source_id, "#2");
}

TEST(OpenAi, IsSureOnlyOfWhatNobodyElseSays) {
  EXPECT_EQ(sure_of(request(authored("user", "a"))), Confidence::yes);
  EXPECT_EQ(sure_of(R"({"messages":[{"role":"user","content":"a"}]})"), Confidence::maybe);
  EXPECT_EQ(sure_of(R"({"model":"claude-x","messages":[{"role":"user","content":"a"}]})"),
            Confidence::no);
  // Other endpoints.
  EXPECT_EQ(sure_of(R"({"model":"text-embedding","input":"a"})"), Confidence::no);
  EXPECT_EQ(sure_of(R"({"model":"m","input":["a","b"]})"), Confidence::no);
  EXPECT_EQ(sure_of(R"({"object":"text_completion","choices":[{"text":"a"}]})"), Confidence::no);
  EXPECT_EQ(sure_of(R"({"type":"response.created","event_id":"e","response":{}})"), Confidence::no);
  // Agents' own.
  EXPECT_EQ(sure_of(R"({"sessionId":"s","messages":[{"role":"user","content":"a"}]})"),
            Confidence::no);
  EXPECT_EQ(sure_of(R"({"role":"user","content":"a"})"), Confidence::no);
}

}  // namespace
}  // namespace weft::formats
