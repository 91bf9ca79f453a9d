#include "weft/formats/apis/openai/chat_stream.hpp"
#include "weft/base/state_archive.hpp"

#include <gtest/gtest.h>

namespace weft::formats::openai {
namespace {

using EventOutcome = ChatStream::EventOutcome;

// Pushes a chunk of answer `id`, whose choices are `choices`, after saving and restoring.
ChatStream::Step push(ChatStream& stream, std::string_view choices, std::string_view id = "c",
                      std::string_view more = "") {
  ChatStream restored;
  EXPECT_TRUE(restore_object(save_object(stream), restored));
  stream = restored;
  const std::string chunk = R"({"id":")" + std::string(id) + R"(","choices":[)" +
                            std::string(choices) + "]" + std::string(more) + "}";
  return stream.push(parse_json(chunk).value().value.get_object());
}
std::string delta(std::string_view members, std::string_view reason = "", int index = 0) {
  return R"({"index":)" + std::to_string(index) + R"(,"delta":{)" + std::string(members) + "}" +
         (reason.empty() ? "" : R"(,"finish_reason":")" + std::string(reason) + "\"") + "}";
}
std::string calls(std::string_view fragments) {
  return R"("tool_calls":[)" + std::string(fragments) + "]";
}
json::value calls_of(const ChatStream::Step& step) {
  return step.choices.at(0).message.at("tool_calls");
}

TEST(ChatStream, JoinsWhatComesInPieces) {
  ChatStream stream;
  push(stream, delta(R"("role":"assistant","content":"")"));
  push(stream, delta(R"("content":"a","reasoning":"x")"));
  const auto step = push(stream, delta(R"("content":"b","reasoning":"y")", "stop"));
  ASSERT_EQ(step.choices.size(), 1u);
  EXPECT_EQ(step.choices[0].message,
            (json::object{{"role", "assistant"}, {"content", "ab"}, {"reasoning", "xy"}}));
  EXPECT_EQ(step.choices[0].finish_reason, "stop");
  EXPECT_FALSE(stream.is_open());
}

TEST(ChatStream, CallsAreJoinedByIndexAndWithoutOneById) {
  const json::value both = {{{"id", "k"}, {"function", {{"name", "f"}, {"arguments", "{}"}}}},
                            {{"id", "l"}, {"function", {{"name", "g"}, {"arguments", "[]"}}}}};
  ChatStream by_index;
  push(by_index, delta(calls(R"({"index":0,"id":"k","function":{"name":"f","arguments":"{"}})")));
  push(by_index, delta(calls(R"({"index":1,"id":"l","function":{"name":"g","arguments":"["}})")));
  auto step = push(by_index, delta(calls(R"({"index":0,"function":{"arguments":"}"}},)"
                                         R"({"index":1,"id":"l","function":{"arguments":"]"}})"),
                                   "tool_calls"));
  EXPECT_EQ(calls_of(step), both);
  ChatStream by_id;
  push(by_id, delta(calls(R"({"id":"k","function":{"name":"f","arguments":"{"}})")));
  push(by_id, delta(calls(R"({"function":{"arguments":"}"}})")));
  step =
      push(by_id, delta(calls(R"({"id":"l","function":{"name":"g","arguments":"[]"}})"), "stop"));
  EXPECT_EQ(calls_of(step), both);
  // Some give 0 to all.
  ChatStream by_neither;
  push(by_neither,
       delta(calls(R"({"index":0,"id":"k","function":{"name":"f","arguments":"{}"}})")));
  step =
      push(by_neither,
           delta(calls(R"({"index":0,"id":"l","function":{"name":"g","arguments":"[]"}})"), "x"));
  EXPECT_EQ(calls_of(step), both);
}

TEST(ChatStream, UsageThatCountsFromTheBeginningIsToldOnce) {
  ChatStream stream;
  const auto used = [](int out) {
    return R"(,"usage":{"prompt_tokens":5,"completion_tokens":)" + std::to_string(out) + "}";
  };
  EXPECT_FALSE(push(stream, delta(R"("content":"a")"), "c", used(1)).usage);
  const auto step = push(stream, delta("", "stop"), "c", used(2));
  EXPECT_EQ(step.usage, (transcript::Usage{5, 2, 0, 0}));
  EXPECT_FALSE(push(stream, "", "c", used(2)).usage);
  EXPECT_EQ(push(stream, "", "c", used(3)).usage, (transcript::Usage{0, 1, 0, 0}));
}

TEST(ChatStream, AlternativesFinishEachForItself) {
  ChatStream stream;
  push(stream, delta(R"("content":"a")", "", 0));
  push(stream, delta(R"("content":"b")", "", 1));
  auto step = push(stream, delta("", "stop", 1));
  ASSERT_EQ(step.choices.size(), 1u);
  EXPECT_EQ(step.choices[0].index, 1u);
  step = push(stream, delta("", "stop", 0));
  EXPECT_EQ(step.choices.at(0).message.at("content"), "a");
}

TEST(ChatStream, AnotherIdEndsWhatHadNotEnded) {
  ChatStream stream;
  push(stream, delta(R"("content":"a")"));
  const auto step = push(stream, delta(R"("content":"b")", "stop"), "d");
  ASSERT_EQ(step.choices.size(), 2u);
  EXPECT_TRUE(step.choices[0].is_cut);
  EXPECT_EQ(step.choices[0].id, "c");
  EXPECT_FALSE(step.choices[1].is_cut);
}

TEST(ChatStream, AnswersWithoutIdsEndWhenTheyAreFinished) {
  ChatStream stream;
  push(stream, delta(R"("content":"a")", "stop"), "");
  const auto step = push(stream, delta(R"("content":"b")", "stop"), "");
  ASSERT_EQ(step.choices.size(), 1u);
  EXPECT_EQ(step.choices[0].message.at("content"), "b");
}

TEST(ChatStream, EndTellsWhatCameAndChangesNothing) {
  ChatStream stream;
  push(stream, delta(R"("content":"a")"));
  EXPECT_TRUE(stream.end().choices.at(0).is_cut);
  EXPECT_EQ(stream.end().choices.at(0).message.at("content"), "a");
  EXPECT_EQ(push(stream, delta(R"("content":"b")", "stop")).choices.at(0).message.at("content"),
            "ab");
  EXPECT_TRUE(stream.end().choices.empty());
}

TEST(ChatStream, SaysWhatIsNoPartOfAnAnswer) {
  ChatStream stream;
  EXPECT_EQ(stream.push({{"id", "c"}}).outcome, EventOutcome::malformed);
  EXPECT_EQ(push(stream, "").outcome, EventOutcome::filter);
  push(stream, delta(R"("content":"a")", "stop"));
  EXPECT_EQ(push(stream, delta(R"("content":"b")")).outcome, EventOutcome::stray);
  EXPECT_EQ(push(stream, delta(R"("content":"")")).outcome, EventOutcome::part);
}

TEST(ChatStream, PartsOfThoughtsAndDetailsAreJoined) {
  ChatStream stream;
  push(stream, delta(R"("content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}]}])"));
  push(stream, delta(R"("content":[{"type":"text","text":"a"}])"));
  push(stream, delta(R"("reasoning_details":[{"type":"reasoning.text","text":"p","index":0}])"));
  const auto step = push(
      stream,
      delta(
          R"("reasoning_details":[{"type":"reasoning.text","text":"q","index":0,"signature":"s"}])",
          "stop"));
  const json::object& message = step.choices.at(0).message;
  EXPECT_EQ(message.at("content"), "a");
  EXPECT_EQ(message.at("reasoning_content"), "x");
  EXPECT_EQ(message.at("reasoning_details"),
            (json::value{
                {{"type", "reasoning.text"}, {"text", "pq"}, {"index", 0}, {"signature", "s"}}}));
}

}  // namespace
}  // namespace weft::formats::openai
