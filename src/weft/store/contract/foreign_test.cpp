// What every store must do: a stranger's statements about a conversation count for nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/stranger_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using thought::Thought;

class Security1 : public StoreContract {
 protected:
  Security1() {
    talk.turn("human");
    first = talk.says("first");
    talk.turn("assistant");
    second = talk.says("second");
    facts = talk.facts("Mine");
    commit(talk);
    turn = neighbours(talk.cid(), "contains", Direction::from).front();
    before = row(talk.cid());
    held = all_of(*store_, talk.cid());
  }

  void import(const std::vector<Thought>& thoughts) {
    const Result<Committed> done = store_->writer().import(thoughts, {});
    ASSERT_TRUE(done) << done.error().message;
  }
  void expect_nothing_changed() {
    const ConversationRow now = row(talk.cid());
    EXPECT_EQ(now.turn_count, before.turn_count);
    EXPECT_EQ(now.block_count, before.block_count);
    EXPECT_EQ(now.thought_count, before.thought_count);
    EXPECT_EQ(now.facts, facts);
    EXPECT_EQ(now.checkpoint, talk.checkpoint());
    EXPECT_EQ(now.created_by, talk.owner());
    EXPECT_EQ(all_of(*store_, talk.cid()), held);
    EXPECT_THAT(store_->placed_blocks(talk.cid(), 0, 100).value(), SizeIs(2));
    EXPECT_THAT(store_->find_blocks(talk.cid(), "response", 10).value(),
                ElementsAre(first, second));
    EXPECT_THAT(store_->places_of(first).value(), SizeIs(1));
    EXPECT_THAT(store_->conversations_of(first).value(), ElementsAre(talk.cid()));
    EXPECT_THAT(store_->known_web().contents(turn).value(), SizeIs(1));
    talk.says("next");
    const Result<Committed> next = store_->writer().commit(talk.batch());
    EXPECT_TRUE(next) << next.error().message;
  }

  Talk talk{"s1"};
  Cid first, second, facts, turn;
  ConversationRow before;
  std::vector<Thought> held;
  Stranger eve;
};

TEST_P(Security1, AStrangersTurnIsNoTurnOfTheConversation) {
  const Cid block = eve.says("INJECTED");
  eve.places(eve.turn(talk.cid(), 99), block);
  import(eve.commit(talk.cid()));
  EXPECT_THAT(store_->conversations_of(block).value(), IsEmpty());
  EXPECT_THAT(store_->places_of(block).value(), IsEmpty());
  EXPECT_THAT(neighbours(talk.cid(), "contains", Direction::from), SizeIs(3)) << "it is stored";
  EXPECT_THAT(store_->neighbours_by(talk.owner(), talk.cid(), "contains", Direction::from).value(),
              SizeIs(2));
  expect_nothing_changed();
}

TEST_P(Security1, AStrangersBlockStandsInNoTurnOfTheOwner) {
  eve.places(turn, eve.says("INJECTED"), 0);
  import(eve.commit(talk.cid()));
  expect_nothing_changed();
}

TEST_P(Security1, AStrangerSupersedesNothing) {
  const Cid mine = eve.conversation("eve");
  const Cid block = eve.says("REPLACED");
  eve.places(eve.turn(mine, 0), block);
  eve.connects("supersedes", block, first);
  import(eve.commit(mine));
  expect_nothing_changed();
  EXPECT_THAT(store_->conversations({}).value(), SizeIs(2)) << "their own conversation is theirs";
}

TEST_P(Security1, AStrangersFactsAreNotTheNewest) {
  eve.facts(talk.cid(), "STOLEN");
  import(eve.said());
  expect_nothing_changed();
}

TEST_P(Security1, AStrangersCheckpointIsNotTheNewest) {
  eve.places(eve.turn(talk.cid(), 2), eve.says("INJECTED"));
  import(eve.commit(talk.cid(), talk.checkpoint()));
  expect_nothing_changed();
}

TEST_P(Security1, AStrangersConversationThatHoldsABlockOfTheOwnerChangesNothingElse) {
  const Cid mine = eve.conversation("eve");
  eve.places(eve.turn(mine, 0), first);
  import(eve.commit(mine));
  EXPECT_THAT(store_->conversations_of(first).value(), ElementsAre(mine, talk.cid()));
  EXPECT_EQ(all_of(*store_, talk.cid()), held);
  EXPECT_EQ(row(talk.cid()).thought_count, before.thought_count);
}

TEST_P(Security1, AStrangersConversationOfTheSameNameIsNotTheOwners) {
  const Cid theirs = eve.conversation("s1");
  eve.places(eve.turn(theirs, 0), eve.says("INJECTED"));
  import(eve.commit(theirs));
  const auto known = store_->known_web().find_conversation(talk.heading(), talk.owner()).value();
  ASSERT_TRUE(known);
  EXPECT_EQ(known->cid, talk.cid());
  EXPECT_EQ(store_->known_web().find_conversation(talk.heading(), eve.cid()).value()->cid, theirs);
}

INSTANTIATE_TEST_SUITE_P(Every, Security1, testing::ValuesIn(every_backend()), backend_name);

// Facts whose clock ran ahead, then the ones that came after them.
class Security13 : public StoreContract {
 protected:
  Security13() {
    talk.says("a");
    talk.wait(31'536'000'000);
    talk.facts("Older, of a clock one year ahead");
    commit(talk);
    older = all_of(*store_, talk.cid());
    talk.wait(-31'536'000'000);
    talk.says("b");
    newest = talk.facts("Newest");
    commit(talk);
  }
  std::unique_ptr<Store> open_other() { return GetParam().open(other_.path()).value(); }

  Talk talk{"s1"};
  Cid newest;
  std::vector<Thought> older;
  Scratch other_;
};

TEST_P(Security13, FactsCountByTheOrderOfCommitsAndNotByTheClock) {
  EXPECT_EQ(row(talk.cid()).facts, newest);
  const std::unique_ptr<Store> other = open_other();
  ASSERT_TRUE(other->writer().import(all_of(*store_, talk.cid()), {}));
  EXPECT_EQ(other->conversation(talk.cid())->facts, newest);
}

TEST_P(Security13, FactsOfALongerCopyAreNewer) {
  const std::unique_ptr<Store> other = open_other();
  ASSERT_TRUE(other->writer().import(older, {}));
  ASSERT_TRUE(other->writer().import(all_of(*store_, talk.cid()), {}));
  EXPECT_EQ(other->conversation(talk.cid())->facts, newest);
}

TEST_P(Security13, AnOlderCopyBringsNoOlderFactsBack) {
  ASSERT_TRUE(store_->writer().import(older, {}));
  EXPECT_EQ(row(talk.cid()).facts, newest);
  std::vector<Thought> reversed = all_of(*store_, talk.cid());
  std::ranges::reverse(reversed);
  ASSERT_TRUE(store_->writer().import(reversed, {}));
  EXPECT_EQ(row(talk.cid()).facts, newest);
}

INSTANTIATE_TEST_SUITE_P(Every, Security13, testing::ValuesIn(every_backend()), backend_name);

}  // namespace
}  // namespace weft::store
