// A log of Gemini is replayed: messages grow, are answered twice, taken back and restated.
#include <gtest/gtest.h>

#include "weft/formats/adapters/gemini/gemini_for_test.hpp"

namespace weft::formats {
namespace {

using gemini::authored;
using gemini::call;
using gemini::outline_of;
using gemini::read;
using gemini::response;

TEST(Gemini, AMessageThatGrowsTellsOnlyWhatIsNew) {
  const std::string running = ",\"toolCalls\":[" + call("c1", "executing") + "]";
  const std::string done = ",\"toolCalls\":[" +
                           call("c1", "success", ",\"result\":[" + response("c1", "a") + "]") +
                           "," + call("c2", "validating") + "]";
  const Collector collector =
      read({authored("m1", "user", "Hi."), authored("m2", "gemini", "Look."),
            authored("m2", "gemini", "Look.", running), authored("m2", "gemini", "Look.", done)});
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human m1: Hi. | assistant m2: Look. call result call");
  EXPECT_TRUE(collector.skipped.empty());
  const std::vector<Block> blocks = blocks_of(collector.conversations[0]);
  EXPECT_EQ(blocks.at(3).index, blocks.at(2).index + 1);
  EXPECT_EQ(blocks.at(4).index, blocks.at(2).index + 2);
}

TEST(Gemini, AMessageWrittenAgainAsItWasIsADuplicate) {
  const Collector collector =
      read({authored("m1", "user", "Hi."), authored("m1", "user", "Hi."),
            authored("m2", "gemini", "Ho."), authored("m2", "gemini", "Ho.")});
  EXPECT_EQ(outline(collector.conversations.at(0)), "human m1: Hi. | assistant m2: Ho.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 2}}));
}

TEST(Gemini, WhatChangedIsToldAgainInItsPlace) {
  const Collector collector = read({authored("m1", "user", "Hi."), authored("m2", "gemini", "Ho"),
                                    authored("m2", "gemini", "Ho ho.")});
  const std::vector<Block> blocks = blocks_of(collector.conversations.at(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[1].source_id, blocks[2].source_id);
  EXPECT_EQ(blocks[1].index, blocks[2].index);
}

TEST(Gemini, AMessageThatGrowsLateGoesOnInItsOwnTurn) {
  const std::string done = ",\"toolCalls\":[" + call("c1", "cancelled") + "]";
  EXPECT_EQ(outline_of({authored("m1", "user", "Hi."), authored("m2", "gemini", "Look."),
                        authored("m3", "user", "Wait."), authored("m2", "gemini", "Look.", done),
                        authored("m4", "gemini", "Yes?")}),
            "human m1: Hi. | assistant m2: Look. call result | human m3: Wait. | "
            "assistant m4: Yes?");
}

TEST(Gemini, AMessageThatWasEmptyAtFirstStandsWhereItFirstSaysSomething) {
  const std::string running = ",\"toolCalls\":[" + call("c1", "executing") + "]";
  EXPECT_EQ(outline_of({authored("m0", "gemini", ""), authored("m1", "user", "Hi."),
                        authored("m2", "gemini", ""), authored("m3", "info", "Psst."),
                        authored("m2", "gemini", "", running), authored("m0", "gemini", "Late.")}),
            "human m1: Hi. | assistant m3: *Psst. call Late.");
}

TEST(Gemini, TokensAreCountedOnceForEachMessage) {
  const std::string tokens = R"(,"tokens":{"input":10,"output":2,"cached":4,"thoughts":3})";
  const Collector collector =
      read({authored("m1", "user", "Hi."), authored("m2", "gemini", "Ho."),
            authored("m2", "gemini", "Ho.", tokens), authored("m2", "gemini", "Ho.", tokens),
            authored("m3", "gemini", "Ha.", tokens)});
  EXPECT_EQ(collector.conversations.at(0).facts.usage, (Usage{2 * 10, 2 * (2 + 3), 2 * 4, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"duplicate", 1}}));
}

TEST(Gemini, AResponseThatTheCallHasAlreadyIsAMirror) {
  const std::string done =
      ",\"toolCalls\":[" + call("c1", "success", ",\"result\":[" + response("c1", "a") + "]") + "]";
  const std::string mirror =
      R"({"id":"r1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[)" +
      response("c1", "a") + "]}";
  const Collector collector =
      read({authored("m1", "user", "Hi."), authored("m2", "gemini", "", done), mirror,
            authored("m3", "gemini", "Ho.")});
  EXPECT_EQ(outline(collector.conversations.at(0)),
            "human m1: Hi. | assistant m2: call result Ho.");
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 1}}));
}

TEST(Gemini, AResponseThatNothingElseHasIsTold) {
  const std::string only =
      R"({"id":"r1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[)" +
      response("c1", "a") + "]}";
  EXPECT_EQ(
      outline_of({authored("m1", "user", "Hi."),
                  authored("m2", "gemini", "", ",\"toolCalls\":[" + call("c1", "executing") + "]"),
                  only}),
      "human m1: Hi. | assistant m2: call result");
}

TEST(Gemini, AResponseThatCameFirstIsNotToldAgainWithItsCall) {
  const std::string only =
      R"({"id":"r1","timestamp":"2026-01-01T00:00:01Z","type":"user","content":[)" +
      response("c1", "a") + "]}";
  const std::string done =
      ",\"toolCalls\":[" + call("c1", "success", ",\"result\":[" + response("c1", "a") + "]") + "]";
  EXPECT_EQ(outline_of({authored("m1", "user", "Hi."), authored("m2", "gemini", "Look."), only,
                        authored("m2", "gemini", "Look.", done)}),
            "human m1: Hi. | assistant m2: Look. result call");
}

TEST(Gemini, AResultMayHoldThoseOfItsNeighbours) {
  const std::string all = "[" + response("c1", "a") + "," + response("c2", "b") + "]";
  const Collector collector =
      read({authored("m2", "gemini", "",
                     ",\"toolCalls\":[" + call("c1", "success", ",\"result\":" + all) + "," +
                         call("c2", "success", ",\"result\":" + all) + "]")});
  const std::vector<Block> blocks = blocks_of(collector.conversations.at(0));
  EXPECT_EQ(std::get<ToolResult>(blocks.at(1).body).text, "a");
  EXPECT_EQ(std::get<ToolResult>(blocks.at(3).body).text, "b");
}

TEST(Gemini, ARewindBeginsATurnBehindTheOneGoneBackTo) {
  const std::vector<std::string> lines = {
      authored("m1", "user", "One?"),    authored("m2", "gemini", "One."),
      authored("m3", "user", "Two?"),    authored("m4", "gemini", "Two."),
      R"({"$rewindTo":"m3"})",           authored("m5", "user", "Three?"),
      authored("m6", "gemini", "Three.")};
  EXPECT_EQ(outline_of(lines),
            "human m1: One? | assistant m2: One. | human m3: Two? | assistant m4: Two. | "
            "human m5<m2: Three? | assistant m6: Three.");
  EXPECT_EQ(reasons_of(read(lines).skipped), (Counts{{"rewind", 1}}));
}

TEST(Gemini, ARewindToTheBeginningOrToNothingKnownFollowsNone) {
  for (const std::string_view id : {"m1", "nobody"}) {
    EXPECT_EQ(
        outline_of({authored("m1", "user", "One?"), authored("m2", "gemini", "One."),
                    "{\"$rewindTo\":\"" + std::string(id) + "\"}", authored("m3", "user", "Two?")}),
        "human m1: One? | assistant m2: One. | human m3<: Two?");
  }
}

TEST(Gemini, WhoRewindsFartherThanIsRememberedFollowsTheLastTurn) {
  std::vector<std::string> lines = {authored("m", "user", "First.")};
  for (int i = 0; i < 300; ++i) {
    lines.push_back(authored("m" + std::to_string(i), i % 2 == 0 ? "gemini" : "user", "x"));
  }
  lines.emplace_back(R"({"$rewindTo":"m"})");
  lines.push_back(authored("z", "user", "Last."));
  const Collector collector = read(lines);
  EXPECT_EQ(collector.conversations.at(0).turns.back().head.source_id, "z");
  EXPECT_FALSE(collector.conversations[0].turns.back().head.parent);
}

TEST(Gemini, OfAHistoryThatIsRestatedOnlyWhatIsNewIsTold) {
  const std::string restated =
      R"({"$set":{"messages":[)" +
      authored("sum", "user", "<state_snapshot>We met.</state_snapshot>") + "," +
      authored("ack", "gemini", "Got it. Thanks for the additional context!") + "," +
      authored("m2", "gemini", "[masked]") + R"(],"lastUpdated":"2026-01-01T00:00:09Z"}})";
  EXPECT_EQ(outline_of({authored("m1", "user", "Hi."), authored("m2", "gemini", "Ho."), restated,
                        authored("m3", "user", "Well?")}),
            "human m1: Hi. | assistant m2: Ho. compaction *text | human m3: Well?");
}

TEST(Gemini, OfALongHistoryThatIsRestatedWhatIsForgottenIsToldByItsTime) {
  std::vector<std::string> lines;
  std::string restated;
  for (int i = 0; i < 400; ++i) {
    const std::string second = std::to_string(100 + i);
    lines.push_back("{\"id\":\"m" + std::to_string(i) + "\",\"timestamp\":\"2026-01-01T00:00:00." +
                    second + "Z\",\"type\":\"gemini\",\"content\":\"x\"}");
    restated += (restated.empty() ? "" : ",") + lines.back();
  }
  lines.push_back(R"({"$set":{"messages":[)" + restated +
                  R"(,{"id":"new","timestamp":"2026-01-01T00:00:02Z","type":"user",)" +
                  R"("content":"New."}]}})");
  const Conversation chat = read(lines).conversations.at(0);
  EXPECT_EQ(blocks_of(chat).size(), 401u);
  EXPECT_EQ(chat.turns.back().head.source_id, "new");
}

}  // namespace
}  // namespace weft::formats
