// Conversations in different files find each other: spawns and continues.
#include <gtest/gtest.h>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using transcript::Origin;

Cid conversation_of(const Loom& loom, const std::string& session, const std::string& source) {
  return loom.known_web.conversations.at({"anthropic-transcript", session, source}).cid;
}

Cid emit_parent(Loom& loom, std::optional<std::string> agent) {
  loom.heading({.session_id = "s1"});
  loom.human("look it up");
  const Cid call = loom.calls("task-1", "Task");
  loom.weaver->spawned({.call_id = "task-1", .agent = std::move(agent)});
  loom.commit();
  loom.prints("task-1", "found");
  return call;
}

Cid emit_child(Loom& loom, Origin origin) {
  loom.heading({.session_id = "s1", .source = "subagent:x"});
  loom.weaver->origin(origin);
  loom.program("look it up");
  loom.says("found");
  return conversation_of(loom, "s1", "subagent:x");
}

TEST(WeaveJoin, CallSpawnsItsSubagentWhicheverComesFirst) {
  for (const bool child_first : {false, true}) {
    for (const bool by_agent : {false, true}) {
      const Origin origin{.session_id = "s1",
                          .call_id = by_agent ? std::nullopt : std::optional("task-1"),
                          .agent = by_agent ? std::optional("x") : std::nullopt};
      Loom loom;
      Cid child, call;
      if (child_first) child = emit_child(loom, origin);
      loom.next_index = 100;
      call = emit_parent(loom, by_agent ? std::optional("x") : std::nullopt);
      loom.next_index = 200;
      if (!child_first) child = emit_child(loom, origin);
      EXPECT_EQ(loom.edges("spawns"), (std::set<Loom::Triple>{{call, child, ""}}));
      EXPECT_TRUE(loom.known_web.waits.empty());
    }
  }
}

TEST(WeaveJoin, ToldAgainAddsNothing) {
  Loom loom;
  const Origin origin{.session_id = "s1", .call_id = "task-1", .agent = "x"};
  emit_parent(loom, "x");
  loom.next_index = 100;
  emit_child(loom, origin);
  const std::size_t before = loom.known_web.thoughts.size();
  loom.weaver->origin(origin);
  loom.weaver->spawned({.call_id = "task-1", .agent = "x"});
  loom.commit();
  EXPECT_EQ(loom.known_web.thoughts.size(), before);
}

TEST(WeaveJoin, ForkThatNamesItsOriginContinuesItWhicheverComesFirst) {
  for (const bool fork_first : {false, true}) {
    Loom loom;
    const auto emit_fork = [&] {
      loom.heading({.session_id = "fork"});
      loom.weaver->origin({.kind = Origin::Kind::continued, .session_id = "s1"});
      loom.human("on from there");
    };
    if (fork_first) emit_fork();
    loom.heading({.session_id = "s1"});
    loom.human("begin");
    if (!fork_first) emit_fork();
    const Cid fork = conversation_of(loom, "fork", "primary");
    const Cid first = conversation_of(loom, "s1", "primary");
    EXPECT_EQ(loom.edges("continues"), (std::set<Loom::Triple>{{fork, first, ""}}));
  }
}

TEST(WeaveJoin, ConversationThatBeginsWithAnothersBlocksContinuesIt) {
  Loom loom;
  loom.human("why?");
  loom.says("because");
  loom.says("of that");
  const std::size_t blocks = loom.of_type("anthropic/response").size();
  loom.restart();
  loom.heading({.session_id = "copy"});
  loom.human("why?");
  loom.says("because");
  EXPECT_EQ(loom.of_type("anthropic/response").size(), blocks);
  loom.says("of something else");
  const Cid copy = conversation_of(loom, "copy", "primary");
  const Cid first = conversation_of(loom, "s1", "primary");
  EXPECT_EQ(loom.edges("continues"), (std::set<Loom::Triple>{{copy, first, ""}}));
}

TEST(WeaveJoin, EqualWordsWithoutTimesAreNoCopy) {
  Loom loom;
  const auto emit = [&] {
    transcript::Block block{.author = transcript::Author::human,
                            .body = transcript::Text{"hello", {}},
                            .source_id = "r"};
    loom.emit(std::move(block));
  };
  emit();
  loom.heading({.session_id = "other"});
  emit();
  EXPECT_TRUE(loom.edges("continues").empty());
}

TEST(WeaveJoin, ForgottenConversationIsNotWovenAgain) {
  Loom loom;
  loom.known_web.forgotten.insert(
      heading_key(loom.keyring, "anthropic-transcript", "gone", "primary"));
  loom.heading({.session_id = "gone"});
  loom.weaver->turn({.role = transcript::Role::human, .source_id = "q"});
  loom.weaver->block({.author = transcript::Author::human, .body = transcript::Text{"x", {}}});
  EXPECT_TRUE(loom.weaver->take(1).value().empty());
  EXPECT_TRUE(loom.weaver->conversations().empty());
}

}  // namespace
}  // namespace weft::weave
