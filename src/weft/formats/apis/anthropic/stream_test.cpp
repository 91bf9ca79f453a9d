#include "weft/formats/apis/anthropic/stream.hpp"
#include "weft/base/state_archive.hpp"

#include <gtest/gtest.h>

namespace weft::formats::anthropic {
namespace {

using transcript::Failure;
using transcript::RedactedThinking;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::Unknown;
using EventOutcome = MessageStream::EventOutcome;

const std::string kStart =
    R"({"type":"message_start","message":{"id":"m1","type":"message","role":"assistant",)"
    R"("model":"claude-x","content":[],"usage":{"input_tokens":9,"output_tokens":1}}})";
const std::string kStop = R"({"type":"message_stop"})";

std::string start(int index, std::string_view block) {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) +
         R"(,"content_block":)" + std::string(block) + "}";
}
std::string delta(int index, std::string_view members) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":{)" +
         std::string(members) + "}}";
}
std::string stop(int index) {
  return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}";
}
std::string text(int index, std::string_view words) {
  return delta(index, R"("type":"text_delta","text":")" + std::string(words) + '"');
}

// All that a stream tells, with its state taken and given back between any two events.
struct Heard {
  std::vector<StreamedBlock> blocks;
  std::vector<StreamedMessage> ended;
  std::vector<EventOutcome> outcome;
  MessageStream stream;

  void take(MessageStream::Step step) {
    outcome.push_back(step.outcome);
    for (StreamedBlock& block : step.blocks) blocks.push_back(std::move(block));
    for (StreamedMessage& message : step.ended) ended.push_back(std::move(message));
  }
};

Heard hear(const std::vector<std::string>& events) {
  Heard heard;
  for (const std::string& event : events) {
    heard.take(heard.stream.push(event));
    MessageStream restored;
    EXPECT_TRUE(restore_object(save_object(heard.stream), restored));
    heard.stream = restored;
  }
  return heard;
}

constexpr std::string_view kText = R"({"type":"text","text":""})";
constexpr std::string_view kThinking = R"({"type":"thinking","thinking":"","signature":""})";
constexpr std::string_view kCall = R"({"type":"tool_use","id":"t","name":"n","input":{}})";

TEST(MessageStream, TellsABlockWhenItIsComplete) {
  Heard heard = hear({kStart, start(0, kText), text(0, "Hel"), text(0, "lo")});
  EXPECT_TRUE(heard.blocks.empty());
  heard.take(heard.stream.push(stop(0)));
  ASSERT_EQ(heard.blocks.size(), 1u);
  EXPECT_EQ(heard.blocks[0].body, transcript::Body(Text{.text = "Hello"}));
  EXPECT_EQ(heard.blocks[0].message_id, "m1");
  EXPECT_EQ(heard.blocks[0].model, "claude-x");
  EXPECT_TRUE(heard.ended.empty());
}

TEST(MessageStream, SaysHowAMessageEnded) {
  const Heard heard = hear({kStart,
                            R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},)"
                            R"("usage":{"input_tokens":null,"output_tokens":40}})",
                            kStop});
  ASSERT_EQ(heard.ended.size(), 1u);
  EXPECT_EQ(heard.ended[0].usage, (transcript::Usage{.input = 9, .output = 40}));
  EXPECT_EQ(heard.ended[0].stop_reason, "end_turn");
  EXPECT_EQ(heard.ended[0].failure, std::nullopt);
}

TEST(MessageStream, TellsBlocksInTheOrderInWhichTheyBegan) {
  const Heard heard = hear({kStart, start(3, kText), start(7, kText), text(7, "b"), text(3, "a"),
                            stop(7), stop(3), kStop});
  ASSERT_EQ(heard.blocks.size(), 2u);
  EXPECT_EQ(heard.blocks[0].index, 3u);
  EXPECT_EQ(heard.blocks[1].index, 7u);
}

TEST(MessageStream, KeepsSignaturesAndHollowThinking) {
  const Heard heard =
      hear({kStart, start(0, kThinking), delta(0, R"("type":"signature_delta","signature":"a")"),
            delta(0, R"("type":"signature_delta","signature":"b=")"), stop(0),
            start(1, R"({"type":"redacted_thinking","data":"x"})"), stop(1), start(2, kThinking),
            delta(2, R"("type":"signature_delta","signature":"cd=")"),
            delta(2, R"("type":"signature_delta","signature":"cd=")"), stop(2)});
  ASSERT_EQ(heard.blocks.size(), 3u);
  EXPECT_EQ(heard.blocks[0].body, transcript::Body(Thinking{.text = "", .signature = "ab="}));
  EXPECT_EQ(heard.blocks[1].body, transcript::Body(RedactedThinking{.data = "x"}));
  // Said twice, not more.
  EXPECT_EQ(heard.blocks[2].body, transcript::Body(Thinking{.text = "", .signature = "cd="}));
}

TEST(MessageStream, AssemblesTheInputOfACall) {
  const Heard heard =
      hear({kStart, start(0, kCall), delta(0, R"("type":"input_json_delta","partial_json":"")"),
            delta(0, R"("type":"input_json_delta","partial_json":"{\"a\":")"),
            delta(0, R"("type":"input_json_delta","partial_json":"[1.5]}")"), stop(0)});
  ASSERT_EQ(heard.blocks.size(), 1u);
  EXPECT_EQ(std::get<ToolCall>(heard.blocks[0].body).input, (json::value{{"a", json::array{1.5}}}));
}

TEST(MessageStream, KeepsTheInputThatACallBeganWithIfNoDeltaComes) {
  const Heard heard =
      hear({kStart, start(0, R"({"type":"tool_use","id":"t","name":"n","input":{"b":2}})"),
            delta(0, R"("type":"input_json_delta","partial_json":"")"), stop(0)});
  EXPECT_EQ(std::get<ToolCall>(heard.blocks.at(0).body).input, (json::value{{"b", 2}}));
}

TEST(MessageStream, KeepsInputThatNoValueCanHoldAsText) {
  const Heard heard =
      hear({kStart, start(0, kCall),
            delta(0, R"("type":"input_json_delta","partial_json":"{\"a\":1e999}")"), stop(0)});
  const auto& unknown = std::get<Unknown>(heard.blocks.at(0).body);
  EXPECT_EQ(unknown.block_type, "tool_use");
  EXPECT_NE(unknown.raw_text.value_or("").find("1e999"), std::string::npos);
}

TEST(MessageStream, AddsCitationsAndCompactions) {
  const Heard heard =
      hear({kStart, start(0, R"({"type":"text","text":"","citations":[]})"),
            delta(0, R"("type":"citations_delta","citation":{"url":"u","cited_text":"c"})"),
            delta(0, R"("type":"citations_delta","citation":{"url":"v"})"), text(0, "x"), stop(0),
            start(1, R"({"type":"compaction","content":null})"),
            delta(1, R"("type":"compaction_delta","content":"In short.")"), stop(1)});
  ASSERT_EQ(heard.blocks.size(), 2u);
  const auto& cited = std::get<Text>(heard.blocks[0].body);
  ASSERT_EQ(cited.citations.size(), 2u);
  EXPECT_EQ(cited.citations[0].text, "c");
  EXPECT_EQ(cited.citations[1].url, "v");
  EXPECT_EQ(heard.blocks[1].body, transcript::Body(transcript::Compaction{.summary = "In short."}));
}

TEST(MessageStream, JoinsACharacterThatTwoDeltasShare) {
  const Heard heard = hear({kStart, start(0, kText), text(0, R"(a\ud83d)"), text(0, R"(\ude00b)"),
                            text(0, R"(\ud83d)"), text(0, "c"), text(0, R"(\ud83d)"), stop(0)});
  EXPECT_EQ(std::get<Text>(heard.blocks.at(0).body).text,
            "a\xF0\x9F\x98\x80"
            "b\xEF\xBF\xBD"
            "c\xEF\xBF\xBD");
}

TEST(MessageStream, LeavesWholePairsAndEscapedBackslashesAlone) {
  const Heard heard =
      hear({kStart, start(0, kText), text(0, R"(\ud83d\ude00)"), text(0, R"(\\ud83d)"), stop(0)});
  EXPECT_EQ(std::get<Text>(heard.blocks.at(0).body).text, "\xF0\x9F\x98\x80\\ud83d");
}

TEST(MessageStream, TellsWhatCameOfAMessageThatBrokeOff) {
  const Heard heard =
      hear({kStart, start(0, kThinking), delta(0, R"("type":"thinking_delta","thinking":"I was")"),
            start(1, kCall), delta(1, R"("type":"input_json_delta","partial_json":"{\"a\":")")});
  const MessageStream::Step rest = heard.stream.end();
  ASSERT_EQ(rest.blocks.size(), 2u);
  EXPECT_EQ(rest.blocks[0].body, transcript::Body(Thinking{.text = "I was", .cut_off = true}));
  EXPECT_EQ(std::get<ToolCall>(rest.blocks[1].body).input, json::value("{\"a\":"));
  ASSERT_EQ(rest.ended.size(), 1u);
  EXPECT_EQ(rest.ended[0].failure, Failure{.text = "the stream broke off"});
  EXPECT_EQ(rest.ended[0].next_index, 2u);
  EXPECT_TRUE(heard.stream.is_open());  // it may go on
}

TEST(MessageStream, NeedsNoMessageStopAfterAStopReason) {
  const Heard heard = hear({kStart, start(0, kText), text(0, "a"),
                            R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})"});
  const MessageStream::Step rest = heard.stream.end();
  EXPECT_EQ(rest.blocks.size(), 1u);
  EXPECT_EQ(rest.ended.at(0).failure, std::nullopt);
}

TEST(MessageStream, EndsAMessageWhereTheNextBegins) {
  const Heard heard =
      hear({kStart, start(0, kText), text(0, "a"),
            R"({"type":"message_start","message":{"id":"m2","type":"message","role":"assistant",)"
            R"("content":[{"type":"text","text":"whole"}],"stop_reason":"end_turn"}})",
            kStop});
  ASSERT_EQ(heard.blocks.size(), 2u);
  EXPECT_EQ(heard.blocks[0].message_id, "m1");
  EXPECT_EQ(heard.blocks[1].message_id, "m2");
  ASSERT_EQ(heard.ended.size(), 2u);
  EXPECT_TRUE(heard.ended[0].failure);
  EXPECT_FALSE(heard.ended[1].failure);
}

TEST(MessageStream, PassesOverAMessageThatCameAlready) {
  const Heard heard = hear({kStart, start(0, kText), text(0, "a"), stop(0), kStop, kStart,
                            start(0, kText), text(0, "a"), stop(0), kStop});
  EXPECT_EQ(heard.blocks.size(), 1u);
  EXPECT_EQ(heard.outcome.at(5), EventOutcome::duplicate);
  EXPECT_EQ(heard.outcome.at(9), EventOutcome::duplicate);
}

TEST(MessageStream, TellsTheErrorThatEndedAMessage) {
  constexpr std::string_view kError =
      R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})";
  const Heard heard = hear({kStart, start(0, kText), text(0, "a"), std::string(kError)});
  EXPECT_EQ(heard.blocks.size(), 1u);
  ASSERT_EQ(heard.ended.size(), 1u);
  EXPECT_EQ(heard.ended[0].failure->text, "Overloaded");
  EXPECT_EQ(hear({std::string(kError)}).ended.at(0).failure->text, "Overloaded");
}

TEST(MessageStream, TellsARefusal) {
  const Heard heard = hear({kStart,
                            R"({"type":"message_delta","delta":{"stop_reason":"refusal",)"
                            R"("stop_details":{"type":"refusal","explanation":"Not this."}}})",
                            kStop});
  EXPECT_EQ(heard.ended.at(0).failure->text, "Not this.");
  EXPECT_TRUE(heard.ended.at(0).failure->details);
}

TEST(MessageStream, SaysWhatItDidNotTake) {
  const Heard heard = hear({R"({"type":"ping"})", stop(0), kStart, stop(4), R"({"type":"odd"})",
                            "[1]", "{", delta(2, R"("type":"text_delta")")});
  EXPECT_EQ(heard.outcome,
            (std::vector{EventOutcome::ping, EventOutcome::stray, EventOutcome::part,
                         EventOutcome::stray, EventOutcome::unknown, EventOutcome::malformed,
                         EventOutcome::malformed, EventOutcome::malformed}));
}

TEST(MessageStream, CountsIterationsWhereTheyAreListed) {
  const json::value usage = {{"input_tokens", 612},
                             {"iterations",
                              {{{"input_tokens", 60385}, {"output_tokens", 522}},
                               {{"input_tokens", 612}, {"output_tokens", 2819}}}}};
  EXPECT_EQ(usage_of(usage.get_object()), (transcript::Usage{.input = 60997, .output = 3341}));
}

TEST(MessageStream, RefusesAStateThatIsNotItsOwn) {
  MessageStream stream;
  EXPECT_FALSE(restore_object(json::object(), stream));
  const json::object state{{"ids", json::array{}}, {"repeat", false}, {"open", {1}}};
  EXPECT_FALSE(restore_object(state, stream));
}

}  // namespace
}  // namespace weft::formats::anthropic
