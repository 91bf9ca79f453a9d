#include "weft/formats/reading/turn_builder.hpp"

#include <gtest/gtest.h>

#include "weft/base/state_archive.hpp"
#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Text;

const transcript::Heading kHeading{
    .format = "toy", .family = "toy", .program = "toy", .provider = "", .session_id = "s"};

RecordContent authored(std::string place, Author author, std::string words) {
  return {.place = std::move(place), .blocks = {{author, Text{std::move(words), {}}}}};
}

TEST(TurnBuilder, MakesTurnsOfWhoSpeaks) {
  Collector content;
  TurnBuilder builder;
  builder.begin(kHeading, content);
  builder.emit(authored("#1", Author::program, "rules"), content);
  builder.emit(authored("#2", Author::human, "ask"), content);
  builder.emit(authored("#3", Author::human, "more"), content);
  builder.emit(authored("m1", Author::model, "answer"), content);
  builder.emit(authored("#5", Author::tool, "out"), content);
  builder.emit(authored("#6", Author::program, "note"), content);
  ASSERT_EQ(content.conversations.size(), 1u);
  EXPECT_EQ(outline(content.conversations[0]),
            "system #1: *rules | human #2: ask more | assistant m1: answer out *note");
  EXPECT_TRUE(content.conversations[0].turns[1].head.counted);
  EXPECT_FALSE(content.conversations[0].turns[2].head.counted);
}

TEST(TurnBuilder, WhatIsNotedBeforeTheBeginningIsToldWithIt) {
  Collector content;
  TurnBuilder early;
  const transcript::Facts all{.title = {},
                              .summary = "s",
                              .project = "p",
                              .cwd = "/c",
                              .git_branch = "b",
                              .account = "a",
                              .tools = {"t", "u"},
                              .usage = transcript::Usage{1, 2, 3, 4},
                              .updated_at = 5};
  early.note(all, content);
  EXPECT_TRUE(early.set_title(TurnBuilder::Title::prompt, " Hi \n there ", content));
  EXPECT_TRUE(content.conversations.empty());
  TurnBuilder builder;
  ASSERT_TRUE(restore_object(save_object(early), builder));
  builder.begin(kHeading, content);
  transcript::Facts expected = all;
  expected.title = "Hi there";
  EXPECT_EQ(content.conversations.at(0).facts, expected);
}

TEST(TurnBuilder, ATitleGivesWayToABetterOneAndAPromptToNone) {
  Collector content;
  TurnBuilder builder;
  builder.begin(kHeading, content);
  EXPECT_TRUE(builder.set_title(TurnBuilder::Title::prompt, "first", content));
  EXPECT_FALSE(builder.set_title(TurnBuilder::Title::prompt, "second", content));
  EXPECT_FALSE(builder.set_title(TurnBuilder::Title::made, " ", content));
  EXPECT_EQ(content.conversations.at(0).facts.title, "first");
  EXPECT_TRUE(builder.set_title(TurnBuilder::Title::made, "made", content));
  EXPECT_TRUE(builder.set_title(TurnBuilder::Title::made, "made anew", content));
  EXPECT_FALSE(builder.set_title(TurnBuilder::Title::prompt, "third", content));
  EXPECT_EQ(content.conversations.at(0).facts.title, "made anew");
}

TEST(TurnBuilder, OneRecordMayBeginSeveralTurns) {
  Collector content;
  TurnBuilder builder;
  builder.begin(kHeading, content);
  builder.emit({.place = "r",
                .blocks = {{Author::human, Text{"ask", {}}},
                           {Author::model, Text{"answer", {}}},
                           {Author::human, Text{"again", {}}}}},
               content);
  EXPECT_EQ(outline(content.conversations[0]),
            "human r: ask | assistant r.1: answer | human r.2: again");
}

TEST(TurnBuilder, WhatAProgramSaysInAPromptStaysWithIt) {
  Collector content;
  TurnBuilder builder;
  builder.begin(kHeading, content);
  RecordContent prompt = authored("p", Author::program, "context");
  prompt.blocks.push_back({Author::human, Text{"ask", {}}});
  prompt.is_prompt = true;
  builder.emit(std::move(prompt), content);
  EXPECT_EQ(outline(content.conversations[0]), "human p: *context ask");
}

TEST(TurnBuilder, GoesBackToAnEarlierTurn) {
  Collector content;
  TurnBuilder builder;
  builder.begin(kHeading, content);
  builder.emit(authored("a", Author::human, "one"), content);
  builder.emit(authored("b", Author::model, "two"), content);
  builder.emit(authored("c", Author::human, "three"), content);
  builder.follow("b");
  builder.emit(authored("d", Author::human, "four"), content);
  builder.follow("");
  builder.emit(authored("e", Author::human, "five"), content);
  EXPECT_EQ(outline(content.conversations[0]),
            "human a: one | assistant b: two | human c: three | human d<b: four | human e<: five");
}

TEST(TurnBuilder, OneThatWasRestoredTellsHeadingAndTurnAgain) {
  Collector first;
  TurnBuilder builder;
  builder.begin(kHeading, first);
  builder.emit(authored("a", Author::human, "one"), first);
  builder.emit(authored("b", Author::model, "two"), first);
  TurnBuilder restored;
  ASSERT_TRUE(restore_object(save_object(builder), restored));
  EXPECT_EQ(restored.turn(), "b");
  Collector second;
  restored.emit(authored("c", Author::model, "three"), second);
  ASSERT_EQ(second.conversations.size(), 1u);
  EXPECT_EQ(second.conversations[0].heading, kHeading);
  EXPECT_EQ(outline(second.conversations[0]), "assistant b: three");
}

TEST(TurnBuilder, WhatAModelSaysInOneRecordIsOneStep) {
  Collector content;
  TurnBuilder builder;
  builder.begin(kHeading, content);
  RecordContent answer = authored("m", Author::model, "answer");
  answer.blocks.push_back({Author::tool, transcript::ToolResult{.call_id = "c"}});
  builder.emit(std::move(answer), content);
  const auto blocks = blocks_of(content.conversations[0]);
  EXPECT_EQ(blocks[0].message_id, "m");
  EXPECT_EQ(blocks[1].message_id, std::nullopt);
  EXPECT_EQ(blocks[1].index, 1u);
}

TEST(TurnBuilder, RefusesAStateThatIsNotItsOwn) {
  TurnBuilder builder;
  for (const char* text : {R"({"heading":["a"]})", R"({"heading":[1,2,3,4,5,6]})",
                           R"({"turn":{"role":"human","id":"a","counted":true}})"}) {
    const json::value state = parse_json(text)->value;
    EXPECT_FALSE(restore_object(state.get_object(), builder)) << text;
  }
}

TEST(UsageSum, StaysWithinBounds) {
  UsageSum sum;
  sum.add({.input = 5, .output = -3});
  sum.add({.input = std::int64_t{1} << 62});
  sum.add({.input = std::int64_t{1} << 62});
  EXPECT_EQ(sum.sum().input, std::int64_t{1} << 50);
  EXPECT_EQ(sum.sum().output, 0);
  StateArchive writer;
  sum.archive(writer, "usage");
  const json::object state = writer.take_written();
  UsageSum restored;
  StateArchive reader(state);
  restored.archive(reader, "usage");
  EXPECT_TRUE(reader.is_ok());
  EXPECT_EQ(restored.sum(), sum.sum());
}

}  // namespace
}  // namespace weft::formats
