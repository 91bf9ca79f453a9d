// Weaving that stops and resumes gives the web of weaving in one go.
#include <gtest/gtest.h>

#include <functional>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

// A conversation with everything that weaving remembers from block to block.
void emit_all(Loom& loom, const std::function<void()>& between) {
  const auto next = [&](const Cid&) { between(); };
  next(loom.program("rules"));
  next(loom.human("why?"));
  next(loom.emit(transcript::Author::human,
                 transcript::Attachment{.kind = "document", .text = "notes"}));
  loom.message_id = "m1";
  next(loom.thinks("let me see", {"Seeing"}));
  next(loom.calls("a"));
  next(loom.calls("b"));
  loom.message_id.reset();
  next(loom.prints("b", "two"));
  next(loom.prints("a", "one"));
  loom.message_id = "m2";
  next(loom.thinks("so"));
  next(loom.says("because", {{.text = "notes", .document = 0}}));
  loom.message_id.reset();
  next(loom.calls("", "search"));
  next(loom.calls("", "search"));
  next(loom.prints("", "first", "search"));
  next(loom.prints("", "second", "search"));
  next(loom.says("done"));
  next(loom.human("thanks"));
  next(loom.emit(transcript::Author::model, transcript::Compaction{"all of it"}));
  next(loom.says("bye"));
  next(loom.prints("a", "one, late and once more"));
}

std::set<Cid> web_of(const Loom& loom) {
  std::set<Cid> cids;
  for (const auto& [cid, thought] : loom.known_web.thoughts) {
    const std::string_view kind = thought::kind_of(thought.type);
    if (kind != "checkpoint" && kind != "conversation_facts" && kind != "usage") cids.insert(cid);
  }
  return cids;
}

TEST(WeaveResume, GoesOnBetweenAnyTwoBlocksAsIfNothingHadHappened) {
  Loom whole;
  emit_all(whole, [] {});
  Loom pieces(whole.keyring);
  emit_all(pieces, [&] { pieces.resume(); });
  EXPECT_EQ(web_of(pieces), web_of(whole));
  EXPECT_GT(web_of(whole).size(), 60u);
}

// What the web has from before the source was cut is no turn that was left and come back to.
TEST(WeaveResume, ASourceThatWasCutAndWrittenOnGivesTheWebOfTheWhole) {
  const auto begin = [](Loom& loom) { loom.human("first"); };
  const auto go_on = [](Loom& loom) {
    loom.says("answer");
    loom.human("second");
  };
  Loom whole;
  begin(whole);
  go_on(whole);
  whole.says("more");

  Loom loom(whole.keyring);
  begin(loom);
  go_on(loom);
  loom.restart();  // it was truncated, and is read again
  begin(loom);
  loom.resume();
  go_on(loom);
  loom.says("more");
  EXPECT_EQ(web_of(loom), web_of(whole));
}

TEST(WeaveResume, StateDoesNotGrowWithTheConversation) {
  Loom loom;
  const auto emit = [&](int from, int to) {
    for (int i = from; i < to; ++i) {
      loom.human("again");
      loom.calls("c" + std::to_string(i));
      loom.prints("c" + std::to_string(i), "out");
      loom.says("so");
    }
    loom.resume();
    return loom.last_state.size();
  };
  const std::size_t early = emit(0, 40);
  const std::size_t late = emit(40, 120);
  EXPECT_LT(late, early + 512);
}

TEST(WeaveResume, StateOfAnotherWebIsNotTaken) {
  Loom loom;
  loom.human("why?");
  const json::object state = loom.weaver->save();
  Loom other;
  EXPECT_FALSE(other.weaver->restore(state).value());
  Weaver fresh(loom.identities, loom.known_web);
  EXPECT_FALSE(fresh.restore({{"conversations", json::array{1}}}).value());
  EXPECT_FALSE(Weaver(loom.identities, loom.known_web).restore({}).value());
}

// A block that was woven on a failed look-up might exist already, or belong elsewhere.
TEST(WeaveResume, WeavesNothingAfterALookUpFailed) {
  Loom loom;
  loom.human("why?");
  const std::size_t before = loom.known_web.thoughts.size();
  const json::object state = loom.weaver->save();
  loom.hold_commits = true;
  loom.known_web.failure = Error{ErrorCode::unavailable, "the disk is gone"};
  Weaver fresh(loom.identities, loom.known_web);
  EXPECT_EQ(fresh.restore(state).error().code, ErrorCode::unavailable);
  loom.restart();
  loom.says("because");
  loom.known_web.failure.reset();
  loom.says("and so on");
  const auto units = loom.weaver->take(9'000);
  ASSERT_FALSE(units);
  EXPECT_EQ(units.error().code, ErrorCode::unavailable);
  EXPECT_EQ(loom.weaver->take(9'001).error().code, ErrorCode::unavailable) << "it stays failed";
  EXPECT_EQ(loom.known_web.thoughts.size(), before);
}

TEST(WeaveResume, TurnThatBranchesRestsOnTheTurnItFollows) {
  Loom loom;
  loom.turn(transcript::Role::human, "q1");
  const Cid question = loom.human("why?");
  loom.turn(transcript::Role::assistant, "a1");
  const Cid answer = loom.says("because");
  loom.turn(transcript::Role::human, "q2");
  loom.human("and then?");
  loom.turn(transcript::Role::assistant, "a2");
  loom.thinks("hm");
  loom.says("nothing");
  for (const bool resumed : {false, true}) {
    if (resumed) loom.resume();
    const std::string name = resumed ? "resumed" : "fresh";
    loom.turn(transcript::Role::human, name + " q", "a1");
    EXPECT_EQ(loom.because(loom.human("or else, " + name + "?")), std::vector{answer});
    loom.turn(transcript::Role::assistant, name + " a", "q1");
    EXPECT_EQ(loom.because(loom.says("another " + name)), std::vector{question});
  }
  // A second beginning.
  loom.turn(transcript::Role::human, "q0", "");
  EXPECT_TRUE(loom.because(loom.human("start anew")).empty());
  // Far back, beyond the turns that are remembered.
  for (int i = 0; i < 100; ++i) {
    loom.turn(transcript::Role::human, "more" + std::to_string(i));
    loom.human("more");
  }
  loom.turn(transcript::Role::human, "far q", "a1");
  EXPECT_EQ(loom.because(loom.human("far back")), std::vector{answer});
  loom.turn(transcript::Role::assistant, "far a", "q1");
  EXPECT_EQ(loom.because(loom.says("far answer")), std::vector{question});
}

}  // namespace
}  // namespace weft::weave
