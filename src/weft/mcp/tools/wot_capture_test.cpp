// The tools that record a conversation, called as a client calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/mcp/answers/desk_for_test.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::mcp {
namespace {

using testing::AllOf;
using testing::HasSubstr;

json::object says(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

TEST(CaptureTools, RecordAConversationFromStartToStop) {
  Desk desk;
  EXPECT_EQ(desk.ask("wot_capture_start", {{"session_id", "s"}}),
            (json::object{{"status", "recording"}}));
  const json::object asked = desk.ask(
      "wot_capture_block", {{"session_id", "s"}, {"role", "human"}, {"block", says("Where to?")}});
  const json::object said =
      desk.ask("wot_capture_block", {{"session_id", "s"}, {"block", says("South.")}});
  const auto thought = [&](const json::object& answer) {
    return desk.store->get(Cid::parse(*find_string(answer, "thought_cid")).value()).value();
  };
  EXPECT_EQ(asked.size(), 1u);
  EXPECT_EQ(thought(asked).type, "anthropic/human_input");
  EXPECT_EQ(thought(said).because.at(0).thought, thought(asked).cid);
  const json::object stopped = desk.ask("wot_capture_stop", {{"session_id", "s"}});
  EXPECT_EQ(stopped,
            (json::object{{"conversation_cid", desk.store->conversations({})->front().cid.str()}}));
}

TEST(CaptureTools, NeedNoSessionWhileOneIsRecordingAndAskWhichElse) {
  Desk desk;
  EXPECT_THAT(desk.refusal("wot_capture_block", {{"block", says("x")}}),
              AllOf(HasSubstr("No session is recording"), HasSubstr("wot_capture_start")));
  desk.ask("wot_capture_start", {{"session_id", "one"}});
  desk.ask("wot_capture_block", {{"block", says("x")}});
  desk.ask("wot_capture_start", {{"session_id", "two"}});
  EXPECT_THAT(desk.refusal("wot_capture_block", {{"block", says("x")}}),
              AllOf(HasSubstr("\"one\""), HasSubstr("\"two\""), HasSubstr("session_id")));
  EXPECT_EQ(desk.store->conversations({})->front().block_count, 1u);
  EXPECT_EQ(desk.store->conversations({})->front().session_id, "one");
}

TEST(CaptureTools, TakeABlockThatComesAsText) {
  Desk desk;
  desk.ask("wot_capture_start", {{"session_id", "s"}});
  desk.ask("wot_capture_block", {{"block", R"({"type": "text", "text": "as a text"})"}});
  EXPECT_EQ(desk.store->conversations({})->front().block_count, 1u);
  const auto refused =
      read_arguments(Desk::tool("wot_capture_block").parameters, {{"block", "no object"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("block"));
}

TEST(CaptureTools, SayWhatIsWrongAndHowToMendIt) {
  Desk desk;
  EXPECT_THAT(desk.refusal("wot_capture_block", {{"session_id", "s"}, {"block", says("x")}}),
              AllOf(HasSubstr("\"s\" is not recording"), HasSubstr("wot_capture_start")));
  EXPECT_THAT(desk.refusal("wot_capture_stop", {{"session_id", "s"}}),
              HasSubstr("is not recording"));
  EXPECT_THAT(desk.refusal("wot_capture_start", {{"session_id", "a\nb"}}),
              HasSubstr("control characters"));
  desk.ask("wot_capture_start", {{"session_id", "s"}});
  EXPECT_THAT(desk.refusal("wot_capture_block", {{"block", {{"type", "thinking"}}}}),
              HasSubstr("\"thinking\""));
  EXPECT_THAT(desk.refusal("wot_capture_stop", {{"session_id", "s"}}),
              HasSubstr("no conversation"));
}

TEST(CaptureTools, WithoutAKeyringThatSignsSayWhichIsNeeded) {
  Desk desk;
  desk.context.recorder = nullptr;
  for (const char* name : {"wot_capture_start", "wot_capture_stop"}) {
    EXPECT_THAT(desk.refusal(name, {{"session_id", "s"}}), HasSubstr("owner's keyring"));
  }
  EXPECT_THAT(desk.refusal("wot_capture_block", {{"block", says("x")}}),
              HasSubstr("owner's keyring"));
}

TEST(CaptureTools, AreDescribedForClients) {
  for (const char* name :
       {"wot_capture_start", "wot_capture_block", "wot_capture_stop", "wot_conversation_ingest"}) {
    const Tool& tool = Desk::tool(name);
    EXPECT_LT(tool.description.size(), 2'048u) << name;
    EXPECT_FALSE(tool.hints.is_read_only || tool.hints.is_destructive || tool.hints.is_open_world);
    EXPECT_EQ(tool.hints.is_idempotent, tool.name != "wot_capture_block");
    EXPECT_EQ(parse_json(tool.output_schema)->value.at("type"), "object");
    const Result<ParsedJson> example = parse_json(tool.example);
    ASSERT_TRUE(example) << name;
    EXPECT_TRUE(read_arguments(tool.parameters, example->value.as_object())) << name;
  }
}

}  // namespace
}  // namespace weft::mcp
