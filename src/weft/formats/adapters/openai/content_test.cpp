#include <gtest/gtest.h>

#include "weft/formats/adapters/openai/openai_for_test.hpp"

namespace weft::formats {
namespace {

using openai_log::authored;
using openai_log::blocks_in;
using openai_log::blocks_of_message;
using openai_log::completion;
using openai_log::read;
using openai_log::request;
using openai_log::response;
using openai_log::sure_of;
using transcript::Failure;
using transcript::RedactedThinking;
using transcript::Text;
using transcript::Thinking;

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
