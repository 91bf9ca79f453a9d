// Which turns the entries of a tree make, who speaks in them, and when.
#include <gtest/gtest.h>

#include "weft/formats/adapters/pi/pi_for_test.hpp"
#include "weft/formats/reading/entry_window.hpp"

namespace weft::formats {
namespace {

using pi::answer;
using pi::entry;
using pi::kHeader;
using pi::message;
using pi::read;
using pi::read_one;
using pi::user;

const Adapter& adapter() { return *find_adapter("pi"); }

TEST(Pi, WordsWithNothingBetweenAreOneTurnAndAllElseUntilTheNextIsAnother) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + user("u2", "u1", "b") +
                             answer("a1", "u2", "c") +
                             message("r1", "a1", R"("role":"toolResult","content":"d")") +
                             answer("a2", "r1", "e") + user("u3", "a2", "f"))),
            "human u1: a b | assistant a1: c result e | human u3: f");
}

TEST(Pi, AnEntryThatFollowsAnotherThanTheLastBeginsABranch) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + answer("a1", "u1", "b") +
                             user("u2", "a1", "c") + answer("a2", "u2", "d") +
                             user("u3", "a1", "e") + answer("a3", "u3", "f"))),
            "human u1: a | assistant a1: b | human u2: c | assistant a2: d | human u3<a1: e | "
            "assistant a3: f");
}

TEST(Pi, AnAnswerTriedAgainIsATurnOfItsOwnThatFollowsThePrompt) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + answer("a1", "u1", "b") +
                             answer("a2", "u1", "c"))),
            "human u1: a | assistant a1: b | assistant a2<u1: c");
}

TEST(Pi, APromptWordedAnewDoesNotJoinTheOldOne) {
  EXPECT_EQ(outline(read_one(kHeader + user("u0", "", "a") + answer("a0", "u0", "b") +
                             user("u1", "a0", "c") + user("u2", "a0", "d"))),
            "human u0: a | assistant a0: b | human u1: c | human u2<a0: d");
}

TEST(Pi, ABranchWithinTheTurnBeforeItNeedsNoParent) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") + answer("a1", "u1", "b") +
                             answer("a2", "a1", "c") + user("u2", "a1", "d"))),
            "human u1: a | assistant a1: b c | human u2: d");
}

TEST(Pi, ASecondRootIsATurnOfItsOwn) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "", "a") +
                             entry("message", "u2", "",
                                   R"("parentId":null,"message":{"role":"user","content":"b"})"))),
            "human u1: a | human u2<: b");
}

TEST(Pi, EntriesThatTellNothingAreBridged) {
  EXPECT_EQ(outline(read_one(kHeader + entry("model_change", "m0", "", R"("modelId":"x")") +
                             user("u1", "m0", "a") + entry("label", "l1", "u1", "") +
                             answer("a1", "l1", "b") + entry("custom", "c1", "a1", "") +
                             user("u2", "a1", "c") + user("u3", "c1", "d"))),
            "human u1: a | assistant a1: b | human u2: c | human u3<a1: d");
}

TEST(Pi, AnUnknownParentMeansTheLineBefore) {
  EXPECT_EQ(outline(read_one(kHeader + user("u1", "s1", "a") + answer("a1", "nobody", "b") +
                             user("u2", "call_1", "c"))),
            "human u1: a | assistant a1: b | human u2: c");
}

TEST(Pi, RemembersTheEndsOfTurnsLongerThanTheEntriesWithin) {
  std::string bytes =
      kHeader + user("u1", "", "a") + answer("middle", "u1", "b") + answer("end", "middle", "c");
  std::string last = "end";
  for (int turn = 0; turn < 20; ++turn) {
    const std::string number = std::to_string(turn);
    bytes += user("u-" + number, last, "x");
    last = "u-" + number;
    for (std::size_t i = 0; i < kRecent / 10; ++i) {
      const std::string id = "a-" + number + "-" + std::to_string(i);
      bytes += answer(id, last, "y");
      last = id;
    }
  }
  const Conversation session = read_one(bytes + user("v1", "end", "d") + user("v2", "middle", "e"));
  ASSERT_EQ(session.turns.size(), 2u + 40u + 1u);
  EXPECT_EQ(session.turns.back().head.parent, "middle");
  EXPECT_EQ(session.turns.back().blocks.size(), 2u);  // where "middle" stood is forgotten
}

TEST(Pi, WhatItRemembersStaysSmallHoweverLongTheSession) {
  const auto reader = adapter().open({});
  Collector sink;
  std::string last;
  for (int i = 0; i < 2000; ++i) {
    const std::string id = "entry-" + std::to_string(i);
    const std::string line = i % 2 == 0 ? user(id, last, "a") : answer(id, last, "b");
    reader->read({.text = std::string_view(line).substr(0, line.size() - 1)}, sink);
    last = id;
  }
  EXPECT_LT(canonical_json(reader->save()).size(), 20'000u);
}

TEST(Pi, TheFirstVersionHasNoIdsSoThatRecordsAreCounted) {
  const Conversation session = read_one(
      R"({"type":"session","id":"s1","timestamp":"2025-01-01T00:00:00Z","modelId":"m1"})"
      "\n"
      R"({"type":"message","message":{"role":"user","content":"a"}})"
      "\n"
      R"({"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"b"}]}})"
      "\n");
  EXPECT_EQ(outline(session), "human #2: a | assistant #3: b");
  EXPECT_TRUE(session.turns[0].head.counted);
  EXPECT_EQ(session.turns[1].blocks[0].source_id, "#3");
  EXPECT_EQ(session.turns[1].blocks[0].model, "m1");
}

TEST(Pi, EachAnswerIsAStepByItsResponseOrItsEntry) {
  const std::vector<Block> blocks = blocks_of(
      read_one(kHeader + answer("a1", "", "b") +
               message("a2", "a1", R"("role":"assistant","responseId":"msg_2","content":"c")") +
               message("r", "a2", R"("role":"toolResult","content":"d")")));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].message_id, "a1");
  EXPECT_EQ(blocks[1].message_id, "msg_2");
  EXPECT_EQ(blocks[2].message_id, std::nullopt);
}

TEST(Pi, TimesAreTheEntrysElseTheMessages) {
  const std::vector<Block> blocks = blocks_of(read_one(
      kHeader +
      entry(
          "message", "u", "",
          R"("timestamp":"2026-01-01T00:00:01.500Z","message":{"role":"user","content":"a","timestamp":5})") +
      message("a", "u", R"("role":"assistant","content":"b","timestamp":1767225602000)") +
      answer("c", "a", "c")));
  EXPECT_EQ(blocks.at(0).recorded, 1767225601500);
  EXPECT_EQ(blocks.at(1).recorded, 1767225602000);
  EXPECT_EQ(blocks.at(2).recorded, std::nullopt);
  EXPECT_EQ(blocks.at(0).start, std::nullopt);
}

TEST(Pi, WhoSpeaksIsTheMessagesModelElseTheOneChosenLast) {
  const std::string change = entry("model_change", "m", "", R"("provider":"p","modelId":"chosen")");
  const std::string omp = entry("model_change", "n", "", R"("model":"ollama/llama/3")");
  const std::string nameless =
      message("x", "", R"("role":"assistant","content":[{"type":"text","text":"b"}])");
  EXPECT_EQ(blocks_of(read_one(kHeader + change + answer("a", "", "b"))).at(0).model, "m");
  EXPECT_EQ(blocks_of(read_one(kHeader + change + nameless)).at(0).model, "chosen");
  EXPECT_EQ(blocks_of(read_one(kHeader + omp + nameless)).at(0).model, "llama/3");
  EXPECT_EQ(blocks_of(read_one(kHeader + nameless, {.model = "given"})).at(0).model, "given");
  EXPECT_EQ(blocks_of(read_one(kHeader + user("u", "", "a"), {.model = "given"})).at(0).model,
            std::nullopt);
}

TEST(Pi, AModelChosenForAHelperDoesNotSpeak) {
  const std::string helper = entry("model_change", "n", "", R"("model":"a/small","role":"smol")");
  const std::string nameless =
      message("x", "", R"("role":"assistant","content":[{"type":"text","text":"b"}])");
  EXPECT_EQ(blocks_of(read_one(kHeader + helper + nameless)).at(0).model, std::nullopt);
}

}  // namespace
}  // namespace weft::formats
