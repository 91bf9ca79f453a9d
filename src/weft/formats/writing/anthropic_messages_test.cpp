// Conversations of other formats as requests of the Messages API. What was heard from the API
// itself is in tests/cli/replay_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/formats/writing/anthropic_message_parts.hpp"
#include "weft/formats/writing/anthropic_messages.hpp"

namespace weft::formats::anthropic {
namespace {

using testing::ElementsAre;
using transcript::Attachment;
using transcript::Author;
using transcript::Block;
using transcript::Conversation;
using transcript::Role;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;

Conversation foreign(std::vector<transcript::Turn> turns) {
  Conversation conversation;
  conversation.heading = {.format = "gemini", .family = "google", .session_id = "s"};
  conversation.turns = std::move(turns);
  return conversation;
}

transcript::Turn turn(Role role, std::vector<Block> blocks) {
  return {.head = {.role = role}, .blocks = std::move(blocks)};
}

Block human(std::string text) { return {.author = Author::human, .body = Text{std::move(text)}}; }
Block model(transcript::Body body, std::string name = "") {
  Block block{.body = std::move(body)};
  if (!name.empty()) block.model = std::move(name);
  return block;
}
Block program(std::string text) {
  return {.author = Author::program, .body = Text{std::move(text)}};
}

Written written(const Conversation& conversation) {
  const Result<Written> out = write_messages(conversation);
  EXPECT_TRUE(out) << out.error().message;
  return out.value_or(Written{});
}

TEST(MessagesWrite, LeavesOutThinkingThatAnthropicDidNotSign) {
  const Written out = written(foreign(
      {turn(Role::human, {human("Hi.")}),
       turn(Role::assistant, {model(Thinking{.text = "a", .signature = "theirs"}, "gemini-3-pro"),
                              model(Thinking{.text = "b"}, "gemini-3-pro"),
                              model(transcript::RedactedThinking{"c"}, "gpt-6"),
                              model(Thinking{.text = "d", .signature = "ours"}, "claude-opus-4-5"),
                              model(Text{"Hello."})})}));
  EXPECT_EQ(
      out.text,
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"Hi."}]},)"
      R"({"role":"assistant","content":[{"type":"thinking","thinking":"d","signature":"ours"},)"
      R"({"type":"text","text":"Hello."}]}]})"
      "\n");
  EXPECT_THAT(out.notes, ElementsAre("2 × thinking signed by another provider, left out",
                                     "1 × unsigned thinking, left out"));
}

TEST(MessagesWrite, PutsAProgramsWordsBeforeAllIntoSystemAndLaterOnesToTheUser) {
  const Written out =
      written(foreign({turn(Role::system, {program("Be terse."), program("Be kind.")}),
                       turn(Role::human, {human("Hi.")}),
                       turn(Role::assistant, {model(Text{"Hello."}), program("A hook spoke.")})}));
  EXPECT_EQ(out.text,
            R"({"system":[{"type":"text","text":"Be terse."},{"type":"text","text":"Be kind."}],)"
            R"("messages":[{"role":"user","content":[{"type":"text","text":"Hi."}]},)"
            R"({"role":"assistant","content":[{"type":"text","text":"Hello."}]},)"
            R"({"role":"user","content":[{"type":"text","text":"A hook spoke."}]}]})"
            "\n");
}

TEST(MessagesWrite, WhoPromptsASubagentIsItsUser) {
  Conversation conversation = foreign({turn(Role::system, {program("Count the files.")}),
                                       turn(Role::assistant, {model(Text{"Three."})})});
  conversation.heading.source = "subagent:a1";
  EXPECT_EQ(written(conversation).text,
            R"({"messages":[{"role":"user","content":[{"type":"text","text":"Count the files."}]},)"
            R"({"role":"assistant","content":[{"type":"text","text":"Three."}]}]})"
            "\n");
}

TEST(MessagesWrite, MakesCallsOfOthersValid) {
  const Written out = written(foreign(
      {turn(Role::human, {human("Hi.")}),
       turn(Role::assistant,
            {model(ToolCall{.id = "", .name = "srv.look", .input = json::string("raw text")}),
             {.author = Author::tool,
              .body = ToolResult{.name = "srv.look", .text = "seen", .is_error = true}}})}));
  EXPECT_EQ(
      out.text,
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"Hi."}]},)"
      R"({"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"srv_look","input":{"input":"raw text"}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"seen","is_error":true}]}]})"
      "\n");
}

TEST(MessagesWrite, LeavesOutThinkingThatNothingFollows) {
  const Written out = written(
      foreign({turn(Role::human, {human("Hi.")}),
               turn(Role::assistant, {model(Thinking{.text = "d", .signature = "s"}, "claude-x")}),
               turn(Role::human, {human("Hello?")})}));
  EXPECT_EQ(out.text, R"({"messages":[{"role":"user","content":[{"type":"text","text":"Hi."},)"
                      R"({"type":"text","text":"Hello?"}]}]})"
                      "\n");
  EXPECT_THAT(out.notes, ElementsAre("1 × thinking that nothing follows, left out"));
}

TEST(MessagesWrite, CountsWhatTheApiHasNoPlaceFor) {
  const Written out = written(
      foreign({turn(Role::human,
                    {human("Hi."),
                     {.author = Author::human, .body = Attachment{.kind = "file", .name = "x"}}}),
               turn(Role::assistant,
                    {model(transcript::Summary{"t"}),
                     model(transcript::Failure{.text = "overloaded"}),
                     model(transcript::Unknown{.block_type = "x", .raw = json::object()}),
                     {.author = Author::tool, .body = Attachment{.kind = "file", .text = "whole"}},
                     model(Text{"Hello."})})}));
  EXPECT_THAT(out.notes, ElementsAre("1 × block of a kind that the API does not know, left out",
                                     "1 × error of the provider's, left out",
                                     "1 × file that is not of the user's, left out",
                                     "1 × file that the API has no place for, left out",
                                     "1 × title or summary, left out"));
}

TEST(MessagesWrite, RefusesAConversationInWhichNothingCanBeSent) {
  const Result<Written> out =
      write_messages(foreign({turn(Role::assistant, {model(transcript::Failure{.text = "x"})})}));
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::invalid_input);
}

std::string file(const Attachment& attachment) {
  const auto block = foreign_attachment(attachment);
  return block ? canonical_json(*block) : "";
}

TEST(ForeignFiles, AreImagesDocumentsOrNothing) {
  EXPECT_EQ(
      file({.kind = "image", .mime = "image/webp", .data = "AA=="}),
      R"({"source":{"data":"AA==","media_type":"image/webp","type":"base64"},"type":"image"})");
  EXPECT_EQ(file({.kind = "image", .mime = "image/svg+xml", .data = "AA=="}), "");
  EXPECT_EQ(file({.kind = "image", .reference = "https://a.b/c.png"}),
            R"({"source":{"type":"url","url":"https://a.b/c.png"},"type":"image"})");
  EXPECT_EQ(file({.kind = "image", .reference = "/home/x.png"}), "");
  EXPECT_EQ(file({.kind = "file", .name = "n.txt", .text = "words"}),
            R"({"source":{"data":"words","media_type":"text/plain","type":"text"},)"
            R"("title":"n.txt","type":"document"})");
  EXPECT_EQ(file({.kind = "file", .mime = "application/pdf", .data = "JV=="}),
            R"({"source":{"data":"JV==","media_type":"application/pdf","type":"base64"},)"
            R"("type":"document"})");
}

TEST(ForeignTools, AreMadeOursWhereTheyCanBe) {
  const auto ours = [](std::string_view text) {
    const auto tool = tool_definition(parse_json(text)->value);
    return tool ? canonical_json(*tool) : "";
  };
  EXPECT_EQ(
      ours(
          R"({"type":"function","function":{"name":"a.b","description":"d","parameters":{"type":"object"}}})"),
      R"({"description":"d","input_schema":{"type":"object"},"name":"a_b"})");
  EXPECT_EQ(ours(R"({"type":"function","name":"a","parameters":{}})"),
            R"({"input_schema":{"type":"object"},"name":"a"})");
  EXPECT_EQ(ours(R"({"type":"web_search_20250305","name":"web_search"})"),
            R"({"name":"web_search","type":"web_search_20250305"})");
  EXPECT_EQ(ours(R"({"type":"web_search"})"), "");
}

}  // namespace
}  // namespace weft::formats::anthropic
