#include "weft/formats/apis/openai/response_stream.hpp"
#include "weft/base/state_archive.hpp"

#include <gtest/gtest.h>

namespace weft::formats::openai {
namespace {

using EventOutcome = ResponseStream::EventOutcome;

// Pushes an event, after saving and restoring.
ResponseStream::Step push(ResponseStream& stream, std::string_view type, std::string_view members) {
  ResponseStream restored;
  EXPECT_TRUE(restore_object(save_object(stream), restored));
  stream = restored;
  const std::string event = R"({"type":")" + std::string(type) + "\"" +
                            (members.empty() ? "" : ",") + std::string(members) + "}";
  return stream.push(parse_json(event).value().value.get_object());
}
ResponseStream begun() {
  ResponseStream stream;
  push(stream, "response.created", R"("response":{"id":"r","model":"m","output":[]})");
  push(stream, "response.output_item.added",
       R"("output_index":0,"item":{"type":"message","id":"i","role":"assistant","content":[]})");
  push(stream, "response.content_part.added",
       R"("output_index":0,"content_index":0,"part":{"type":"output_text","text":""})");
  push(stream, "response.output_text.delta", R"("output_index":0,"content_index":0,"delta":"a")");
  return stream;
}
std::string text_of(const json::object& response) {
  return std::string(view(response.at("output").at(0).at("content").at(0).at("text").get_string()));
}

TEST(ResponseStream, WhatTheEndSaysCounts) {
  ResponseStream stream = begun();
  const auto step = push(
      stream, "response.completed",
      R"("response":{"id":"r","output":[{"type":"message","content":[{"type":"output_text","text":"z"}]}]})");
  ASSERT_EQ(step.responses.size(), 1u);
  EXPECT_EQ(text_of(step.responses[0].response), "z");
  EXPECT_EQ(step.responses[0].response.at("model"), "m");
  EXPECT_FALSE(step.responses[0].is_cut);
  EXPECT_FALSE(stream.is_open());
}

TEST(ResponseStream, WhereTheEndSaysNothingTheItemsDo) {
  ResponseStream stream = begun();
  push(stream, "response.output_text.delta", R"("output_index":0,"content_index":0,"delta":"b")");
  auto step = push(stream, "response.incomplete", R"("response":{"id":"r","output":[]})");
  EXPECT_EQ(text_of(step.responses.at(0).response), "ab");
  stream = begun();
  push(
      stream, "response.output_item.done",
      R"("output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"y"}]})");
  push(stream, "response.output_text.delta", R"("output_index":0,"content_index":0,"delta":"b")");
  step = push(stream, "response.completed", R"("response":{"id":"r"})");
  EXPECT_EQ(text_of(step.responses.at(0).response), "y");
}

TEST(ResponseStream, OneThatBreaksOffIsToldAsFarAsItCame) {
  ResponseStream stream = begun();
  const auto rest = stream.end();
  EXPECT_TRUE(rest.responses.at(0).is_cut);
  EXPECT_EQ(text_of(rest.responses[0].response), "a");
  const auto step = push(stream, "response.created", R"("response":{"id":"s"})");
  EXPECT_TRUE(step.responses.at(0).is_cut);
  EXPECT_TRUE(stream.is_open());
}

TEST(ResponseStream, DoneSaysAllThatTheDeltasSaid) {
  ResponseStream stream = begun();
  push(stream, "response.output_text.done", R"("output_index":0,"content_index":0,"text":"abc")");
  EXPECT_EQ(text_of(stream.end().responses.at(0).response), "abc");
}

TEST(ResponseStream, PiecesOfEveryKindOfItem) {
  const auto pending = [](std::string_view item, std::string_view event, std::string_view members) {
    ResponseStream stream;
    push(stream, "response.created", R"("response":{"id":"r"})");
    push(stream, "response.output_item.added", R"("output_index":0,"item":)" + std::string(item));
    EXPECT_EQ(push(stream, event, R"("output_index":0,)" + std::string(members)).outcome,
              EventOutcome::part)
        << event;
    return stream.end().responses.at(0).response.at("output").at(0);
  };
  EXPECT_EQ(pending(R"({"type":"function_call","arguments":"{"})",
                    "response.function_call_arguments.delta", R"("delta":"}")")
                .at("arguments"),
            "{}");
  EXPECT_EQ(pending(R"({"type":"custom_tool_call","input":""})",
                    "response.custom_tool_call_input.done", R"("input":"x")")
                .at("input"),
            "x");
  EXPECT_EQ(pending(R"({"type":"shell_call","action":{"commands":[]}})",
                    "response.shell_call_command.delta", R"("command_index":0,"delta":"ls")")
                .at("action"),
            (json::value{{"commands", {"ls"}}}));
  EXPECT_EQ(pending(R"({"type":"apply_patch_call","operation":{"diff":"a"}})",
                    "response.apply_patch_call_operation_diff.delta", R"("delta":"b")")
                .at("operation"),
            (json::value{{"diff", "ab"}}));
  EXPECT_EQ(pending(R"({"type":"reasoning","summary":[]})", "response.reasoning_summary_text.delta",
                    R"("summary_index":0,"delta":"s")")
                .at("summary"),
            (json::value{{{"type", "summary_text"}, {"text", "s"}}}));
  EXPECT_EQ(pending(R"({"type":"reasoning","content":[]})", "response.reasoning_text.delta",
                    R"("content_index":0,"delta":"t")")
                .at("content"),
            (json::value{{{"type", "reasoning_text"}, {"text", "t"}}}));
}

TEST(ResponseStream, AnErrorIsToldOnce) {
  ResponseStream stream = begun();
  push(stream, "error", R"("sequence_number":2,"error":{"code":"c","message":"m"})");
  auto step = push(stream, "response.failed", R"("response":{"id":"r","output":[]})");
  EXPECT_EQ(step.responses.at(0).response.at("error"),
            (json::value{{"code", "c"}, {"message", "m"}}));
  step = push(stream, "error", R"("code":"c","message":"m")");
  EXPECT_EQ(step.responses.at(0).response.at("error"),
            (json::value{{"code", "c"}, {"message", "m"}}));
}

TEST(ResponseStream, SaysWhatIsNoPartOfAResponse) {
  ResponseStream stream;
  const std::string_view delta = R"("output_index":7,"content_index":0,"delta":"b")";
  EXPECT_EQ(push(stream, "response.output_text.delta", delta).outcome, EventOutcome::stray);
  stream = begun();
  EXPECT_EQ(push(stream, "response.output_text.delta", delta).outcome, EventOutcome::stray);
  EXPECT_EQ(push(stream, "response.web_search_call.searching", "").outcome, EventOutcome::progress);
  EXPECT_EQ(push(stream, "response.in_progress", R"("response":{"id":"q"})").outcome,
            EventOutcome::progress);
  EXPECT_EQ(push(stream, "response.sung.delta", "").outcome, EventOutcome::unknown);
  EXPECT_EQ(push(stream, "response.output_item.done", "").outcome, EventOutcome::malformed);
}

}  // namespace
}  // namespace weft::formats::openai
