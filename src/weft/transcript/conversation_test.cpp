#include "weft/transcript/conversation.hpp"

#include <gtest/gtest.h>

namespace weft::transcript {
namespace {

Block text_block(std::string words) { return {.body = Text{.text = std::move(words)}}; }

TEST(Role, IsReadFromTheNameItIsWrittenBy) {
  for (const Role role : {Role::human, Role::assistant, Role::system}) {
    EXPECT_EQ(parse_role(to_string(role)), role);
  }
  EXPECT_EQ(parse_role("Human"), std::nullopt);
}

TEST(Facts, TakeOverWhatNewerOnesSayAndKeepTheRest) {
  Facts facts{.title = "old", .project = "p", .tools = {"a"}, .usage = Usage{.input = 1}};
  facts.merge({.title = "new", .cwd = "/", .usage = Usage{.input = 2}, .updated_at = 5});
  EXPECT_EQ(facts, (Facts{.title = "new",
                          .project = "p",
                          .cwd = "/",
                          .tools = {"a"},
                          .usage = Usage{.input = 2},
                          .updated_at = 5}));
  facts.merge({.tools = {"b"}});
  EXPECT_EQ(facts.tools, std::vector<std::string>{"b"});
}

TEST(Collector, CountsTurnsByFirstAppearance) {
  Collector collector;
  collector.heading({.session_id = "s"});
  collector.turn({.role = Role::human, .source_id = "a"});
  collector.block(text_block("1"));
  collector.turn({.role = Role::assistant, .source_id = "b"});
  collector.block(text_block("2"));
  collector.turn({.role = Role::human, .source_id = "a"});
  collector.block(text_block("3"));

  ASSERT_EQ(collector.conversations.size(), 1u);
  const std::vector<Turn>& turns = collector.conversations[0].turns;
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_EQ(turns[0].blocks, (std::vector{text_block("1"), text_block("3")}));
  EXPECT_EQ(turns[1].blocks, (std::vector{text_block("2")}));
  EXPECT_EQ(turns[1].sequence, 1u);
}

TEST(Collector, GoesOnWithAnEarlierConversationWhereItStopped) {
  Collector collector;
  const Heading main{.session_id = "s"};
  collector.heading(main);
  collector.turn({.source_id = "a"});
  collector.heading({.session_id = "s", .source = "subagent:x"});
  collector.turn({.source_id = "a"});
  collector.block(text_block("of the subagent"));
  collector.heading(main);
  collector.block(text_block("of the main"));
  collector.facts({.title = "main"});

  ASSERT_EQ(collector.conversations.size(), 2u);
  EXPECT_EQ(collector.conversations[0].turns[0].blocks, std::vector{text_block("of the main")});
  EXPECT_EQ(collector.conversations[0].facts.title, "main");
  EXPECT_EQ(collector.conversations[1].turns[0].blocks, std::vector{text_block("of the subagent")});
}

TEST(Collector, KeepsWhatWasSkippedAndCountsRepairs) {
  Collector collector;
  collector.skip({.line = 3, .reason = "progress"});
  collector.repaired(2);
  collector.repaired(1);
  EXPECT_EQ(collector.skipped, (std::vector<Skipped>{{3, "progress"}}));
  EXPECT_EQ(collector.repairs, 3u);
}

}  // namespace
}  // namespace weft::transcript
