#include "weft/formats/writing/openai_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"
#include "weft/formats/writing/openai_message_parts.hpp"

namespace weft::formats::openai {
namespace {

using testing::ElementsAre;
using transcript::Role;

constexpr std::string_view kRequest =
    R"({"messages":[{"role":"system","content":"Be terse."},)"
    R"({"role":"developer","content":"Be kind."},)"
    R"({"role":"user","content":[{"type":"text","text":"What is this?"},)"
    R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"low"}},)"
    R"({"type":"image_url","image_url":{"url":"https://a.b/c.png"}},)"
    R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBE"}},)"
    R"({"type":"input_audio","input_audio":{"data":"UklG","format":"wav"}}]},)"
    R"({"role":"assistant","content":"Looking.","tool_calls":[)"
    R"({"id":"call_a","type":"function","function":{"name":"look","arguments":"{\"z\": 1, \"a\": 2}"}},)"
    R"({"id":"call_b","type":"function","function":{"name":"look","arguments":"{\"a\":2}"}},)"
    R"({"id":"call_c","type":"function","function":{"name":"look","arguments":"{broken"}},)"
    R"({"id":"call_d","type":"custom","custom":{"name":"shell","input":"ls"}}]},)"
    R"({"role":"tool","tool_call_id":"call_a","content":"one"},)"
    R"({"role":"tool","tool_call_id":"call_b","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},)"
    R"({"role":"tool","tool_call_id":"call_c","content":"no"},)"
    R"({"role":"tool","tool_call_id":"call_d","content":"a.txt"},)"
    R"({"role":"system","content":"The user is in a hurry."},)"
    R"({"role":"assistant","content":"A lawn."}],)"
    R"("tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}]})"
    "\n";

TEST(ChatWrite, GivesBackWhatWasSentToTheByte) {
  const Collector heard = read_with("openai", kRequest);
  ASSERT_EQ(heard.conversations.size(), 1u);
  const Result<Written> out = write_messages(heard.conversations[0]);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->text, kRequest);
  EXPECT_TRUE(out->notes.empty());
}

TEST(ChatWrite, LeavesOutReasoningAndSaysSo) {
  transcript::Conversation conversation;
  conversation.heading.format = "claude-code";
  conversation.turns.push_back(
      {.head = {.role = Role::human},
       .blocks = {{.author = Author::human, .body = transcript::Text{"Hi."}}}});
  conversation.turns.push_back(
      {.head = {.role = Role::assistant},
       .blocks = {{.body = transcript::Thinking{.text = "Hm.", .signature = "s"}},
                  {.body = transcript::Text{"Hello."}},
                  {.body = transcript::ToolCall{.id = "toolu_1", .name = "a.b", .input = {}}}}});
  const Result<Written> out = write_messages(conversation);
  ASSERT_TRUE(out);
  EXPECT_EQ(
      out->text,
      R"({"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Hello.",)"
      R"("tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"a_b","arguments":"{}"}}]},)"
      R"({"role":"tool","tool_call_id":"toolu_1","content":"No result of this call was recorded."}]})"
      "\n");
  EXPECT_THAT(out->notes, ElementsAre("1 × call without a result: a note takes its place",
                                      "1 × thinking, left out"));
}

TEST(ChatWrite, TakesToolsOfAnthropics) {
  const auto theirs = [](std::string_view text) {
    const auto tool = tool_json(parse_json(text)->value);
    return tool ? canonical_json(*tool) : "";
  };
  EXPECT_EQ(
      theirs(R"({"name":"look","description":"d","input_schema":{"type":"object"}})"),
      R"({"function":{"description":"d","name":"look","parameters":{"type":"object"}},"type":"function"})");
  EXPECT_EQ(theirs(R"({"type":"web_search_20250305","name":"web_search"})"), "");
}

TEST(ChatWrite, APictureInAResultIsCounted) {
  bool left_out = false;
  transcript::ToolResult result{.text = "a"};
  result.parts = json::array{text_part("a"), json::object{{"type", "image"}}};
  EXPECT_EQ(canonical_json(result_message(result, "c", left_out)),
            R"({"content":"a","role":"tool","tool_call_id":"c"})");
  EXPECT_TRUE(left_out);
}

}  // namespace
}  // namespace weft::formats::openai
