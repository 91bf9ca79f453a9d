// What Codex tells twice: an event is shown of most items, before or after them.
#include <gtest/gtest.h>

#include "weft/formats/adapters/codex/codex_for_test.hpp"

namespace weft::formats {
namespace {

using codex::answer;
using codex::call;
using codex::event;
using codex::item;
using codex::meta;
using codex::outline_of;
using codex::output;
using codex::read;
using codex::shown_answer;
using codex::shown_user;
using codex::user;

TEST(Codex, AnEventBeforeOrAfterItsItemIsAMirror) {
  const Collector before =
      read(meta() + shown_user("hi") + user("hi", 2) + shown_answer("yo", 3) + answer("yo", 4));
  const Collector after =
      read(meta() + user("hi") + shown_user("hi", 2) + answer("yo", 3) + shown_answer("yo", 4));
  for (const Collector& collector : {before, after}) {
    EXPECT_EQ(blocks_of(collector.conversations.at(0)).size(), 2u);
    EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 2}}));
  }
  // An item takes over the place of the event that was there first.
  EXPECT_EQ(outline(before.conversations[0]), "human #2: hi | assistant #4: yo");
  EXPECT_EQ(outline(after.conversations[0]), "human #2: hi | assistant #4: yo");
}

TEST(Codex, AMirrorMayDifferALittle) {
  EXPECT_EQ(outline_of(meta() + user("hi") + shown_answer("yo") + answer("yo [1]", 2)),
            "human #2: hi | assistant #3: yo [1]");
}

TEST(Codex, TheSameWordsTwiceAreSaidTwice) {
  EXPECT_EQ(outline_of(meta() + user("go") + shown_user("go") + answer("a", 2) + user("go", 3) +
                       shown_user("go", 3) + answer("b", 4)),
            "human #2: go | assistant #4: a | human #5: go | assistant #7: b");
  EXPECT_EQ(outline_of(meta() + shown_user("go") + shown_answer("a", 2) + shown_user("go", 3)),
            "human #2: go | assistant #3: a | human #4: go");
}

TEST(Codex, AnEventWithoutItemIsToldWhereItStood) {
  EXPECT_EQ(outline_of(meta() + shown_user("hi") + call("c", 2) + output("c", R"("x")", 3) +
                       shown_answer("yo", 4) + event("task_complete")),
            "human #2: hi | assistant #3: call result yo");
}

TEST(Codex, WhatWaitsAtTheEndIsToldAndLaterRestatedInItsPlace) {
  const Adapter& adapter = *find_adapter("codex");
  const std::string first = meta() + user("hi") + event("agent_reasoning", R"("text":"t")", 2);
  const std::string second = item(
      R"("type":"reasoning","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"e")",
      3);
  Collector so_far;
  read_all(adapter, {}, first, so_far);
  Collector whole;
  read_all(adapter, {}, first + second, whole);
  const auto early = blocks_of(so_far.conversations.at(0)),
             late = blocks_of(whole.conversations.at(0));
  ASSERT_EQ(early.size(), 2u);
  ASSERT_EQ(late.size(), 2u);
  EXPECT_EQ(early[1].source_id, "#3");
  EXPECT_EQ(late[1].source_id, "#3");
  EXPECT_EQ(std::get<transcript::Thinking>(late[1].body).signature, "e");
}

TEST(Codex, LongEventsDoNotWait) {
  const std::string words(40'000, 'x');
  const Collector collector = read(meta() + shown_user(words) + user(words, 2) + answer("a", 3));
  EXPECT_EQ(blocks_of(collector.conversations.at(0)).size(), 2u);
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 1}}));
}

TEST(Codex, AToolsEventIsToldIfNoItemMakesTheCall) {
  const std::string end = event(
      "mcp_tool_call_end",
      R"("call_id":"c","invocation":{"server":"s","tool":"t","arguments":{"q":1}},"result":{"Ok":{"content":[{"type":"text","text":"r"}]}})");
  EXPECT_EQ(outline_of(meta() + user("hi") + end), "human #2: hi | assistant #3: call result");
  EXPECT_EQ(outline_of(meta() + user("hi") + call("c") + end + output("c", R"("r")")),
            "human #2: hi | assistant #3: call result");
}

TEST(Codex, AnsweredByNoEventsAPromptHidesNoLaterOne) {
  EXPECT_EQ(outline_of(meta() + user("a") + answer("b", 2) + shown_user("c", 3) + call("x", 4)),
            "human #2: a | assistant #3: b | human #4: c | assistant #5: call");
}

}  // namespace
}  // namespace weft::formats
