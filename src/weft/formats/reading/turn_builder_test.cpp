#include "weft/formats/reading/turn_builder.hpp"

#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Collector;
using transcript::Text;

const transcript::Heading kHeading{
    .format = "toy", .family = "toy", .program = "toy", .provider = "", .session_id = "s"};

Told said(std::string place, Author author, std::string words) {
  return {.place = std::move(place), .said = {{author, Text{std::move(words), {}}}}};
}

TEST(Teller, MakesTurnsOfWhoSpeaks) {
  Collector told;
  Teller teller;
  teller.begin(kHeading, told);
  teller.tell(said("#1", Author::program, "rules"), told);
  teller.tell(said("#2", Author::human, "ask"), told);
  teller.tell(said("#3", Author::human, "more"), told);
  teller.tell(said("m1", Author::model, "answer"), told);
  teller.tell(said("#5", Author::tool, "out"), told);
  teller.tell(said("#6", Author::program, "note"), told);
  ASSERT_EQ(told.conversations.size(), 1u);
  EXPECT_EQ(outline(told.conversations[0]),
            "system #1: *rules | human #2: ask more | assistant m1: answer out *note");
  EXPECT_TRUE(told.conversations[0].turns[1].head.counted);
  EXPECT_FALSE(told.conversations[0].turns[2].head.counted);
}

TEST(Teller, WhatIsNotedBeforeTheBeginningIsToldWithIt) {
  Collector told;
  Teller early;
  const transcript::Facts all{.title = {},
                              .summary = "s",
                              .project = "p",
                              .cwd = "/c",
                              .git_branch = "b",
                              .account = "a",
                              .tools = {"t", "u"},
                              .usage = transcript::Usage{1, 2, 3, 4},
                              .updated_at = 5};
  early.note(all, told);
  EXPECT_TRUE(early.set_title(Teller::Title::prompt, " Hi \n there ", told));
  EXPECT_TRUE(told.conversations.empty());
  Teller teller;
  const json::object state = early.save();
  ASSERT_TRUE(teller.restore(&state));
  teller.begin(kHeading, told);
  transcript::Facts expected = all;
  expected.title = "Hi there";
  EXPECT_EQ(told.conversations.at(0).facts, expected);
}

TEST(Teller, ATitleGivesWayToABetterOneAndAPromptToNone) {
  Collector told;
  Teller teller;
  teller.begin(kHeading, told);
  EXPECT_TRUE(teller.set_title(Teller::Title::prompt, "first", told));
  EXPECT_FALSE(teller.set_title(Teller::Title::prompt, "second", told));
  EXPECT_FALSE(teller.set_title(Teller::Title::made, " ", told));
  EXPECT_EQ(told.conversations.at(0).facts.title, "first");
  EXPECT_TRUE(teller.set_title(Teller::Title::made, "made", told));
  EXPECT_TRUE(teller.set_title(Teller::Title::made, "made anew", told));
  EXPECT_FALSE(teller.set_title(Teller::Title::prompt, "third", told));
  EXPECT_EQ(told.conversations.at(0).facts.title, "made anew");
}

TEST(Teller, OneRecordMayBeginSeveralTurns) {
  Collector told;
  Teller teller;
  teller.begin(kHeading, told);
  teller.tell({.place = "r",
               .said = {{Author::human, Text{"ask", {}}},
                        {Author::model, Text{"answer", {}}},
                        {Author::human, Text{"again", {}}}}},
              told);
  EXPECT_EQ(outline(told.conversations[0]),
            "human r: ask | assistant r.1: answer | human r.2: again");
}

TEST(Teller, WhatAProgramSaysInAPromptStaysWithIt) {
  Collector told;
  Teller teller;
  teller.begin(kHeading, told);
  Told prompt = said("p", Author::program, "context");
  prompt.said.push_back({Author::human, Text{"ask", {}}});
  prompt.is_prompt = true;
  teller.tell(std::move(prompt), told);
  EXPECT_EQ(outline(told.conversations[0]), "human p: *context ask");
}

TEST(Teller, GoesBackToAnEarlierTurn) {
  Collector told;
  Teller teller;
  teller.begin(kHeading, told);
  teller.tell(said("a", Author::human, "one"), told);
  teller.tell(said("b", Author::model, "two"), told);
  teller.tell(said("c", Author::human, "three"), told);
  teller.follow("b");
  teller.tell(said("d", Author::human, "four"), told);
  teller.follow("");
  teller.tell(said("e", Author::human, "five"), told);
  EXPECT_EQ(outline(told.conversations[0]),
            "human a: one | assistant b: two | human c: three | human d<b: four | human e<: five");
}

TEST(Teller, OneThatWasRestoredTellsHeadingAndTurnAgain) {
  Collector first;
  Teller teller;
  teller.begin(kHeading, first);
  teller.tell(said("a", Author::human, "one"), first);
  teller.tell(said("b", Author::model, "two"), first);
  const json::object state = teller.save();
  Teller restored;
  ASSERT_TRUE(restored.restore(&state));
  EXPECT_EQ(restored.turn(), "b");
  Collector second;
  restored.tell(said("c", Author::model, "three"), second);
  ASSERT_EQ(second.conversations.size(), 1u);
  EXPECT_EQ(second.conversations[0].heading, kHeading);
  EXPECT_EQ(outline(second.conversations[0]), "assistant b: three");
}

TEST(Teller, WhatAModelSaysInOneRecordIsOneStep) {
  Collector told;
  Teller teller;
  teller.begin(kHeading, told);
  Told answer = said("m", Author::model, "answer");
  answer.said.push_back({Author::tool, transcript::ToolResult{.call_id = "c"}});
  teller.tell(std::move(answer), told);
  const auto blocks = blocks_of(told.conversations[0]);
  EXPECT_EQ(blocks[0].message_id, "m");
  EXPECT_EQ(blocks[1].message_id, std::nullopt);
  EXPECT_EQ(blocks[1].index, 1u);
}

TEST(Teller, RefusesAStateThatIsNotItsOwn) {
  Teller teller;
  EXPECT_FALSE(teller.restore(nullptr));
  for (const char* text : {R"({"heading":["a"]})", R"({"heading":[1,2,3,4,5,6]})",
                           R"({"turn":{"role":"human","id":"a","counted":true}})"}) {
    const json::value state = parse_json(text)->value;
    EXPECT_FALSE(teller.restore(&state.get_object())) << text;
  }
}

TEST(UsageSum, StaysWithinBounds) {
  UsageSum sum;
  sum.add({.input = 5, .output = -3});
  sum.add({.input = std::int64_t{1} << 62});
  sum.add({.input = std::int64_t{1} << 62});
  EXPECT_EQ(sum.sum().input, std::int64_t{1} << 50);
  EXPECT_EQ(sum.sum().output, 0);
  const json::array state = sum.save();
  UsageSum restored;
  ASSERT_TRUE(restored.restore(&state));
  EXPECT_EQ(restored.sum(), sum.sum());
  EXPECT_FALSE(restored.restore(nullptr));
}

}  // namespace
}  // namespace weft::formats
