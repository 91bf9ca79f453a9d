// What every store must do: forget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/forgetful_for_test.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::store {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using thought::Thought;

TEST_P(Forgetful, LeavesTheOwnerAlsoWhereNothingElseIsLeft) {
  Talk talk("s1");
  talk.says("gone");
  commit(talk);
  forget({talk.cid()});
  EXPECT_THAT(store_->conversations({}).value(), IsEmpty());
  EXPECT_EQ(store_->owner().value(), talk.owner());
}

TEST_P(Forgetful, TakesAwayAConversationAndAllThatNoOtherHolds) {
  Talk gone("gone"), stays("stays");
  const Cid first = gone.says("first"), second = gone.says("second");
  const Cid facts = gone.facts("its title");
  const Cid other = stays.says("other");
  commit(gone);
  commit(stays);
  const Cid turn = neighbours(gone.cid(), "contains", Direction::from).front();
  const ForgetPlan what = store_->forgetting().plan({gone.cid()}, ada_.identity.cid).value();
  // The conversation, two blocks, facts, a turn, three places of them and one cause.
  EXPECT_EQ(what.thoughts, 9u);
  ASSERT_EQ(what.conversations.size(), 1u);
  EXPECT_EQ(what.conversations[0].thoughts, 9u);
  EXPECT_EQ(what.conversations[0].checkpoint, gone.checkpoint());
  EXPECT_EQ(what.shared, 2u) << "the identity and the schema";
  EXPECT_THAT(what.spoken_of, IsEmpty());

  forget({gone.cid()});
  for (const Cid& cid : {gone.cid(), first, second, facts, turn}) {
    EXPECT_EQ(code_of_get(cid), ErrorCode::not_found);
  }
  EXPECT_EQ(store_->conversation(gone.cid()).error().code, ErrorCode::not_found);
  EXPECT_EQ(store_->conversations({}).value().size(), 1u);
  EXPECT_FALSE(store_->known_web().find_conversation(gone.heading(), gone.owner()).value());
  EXPECT_EQ(store_->known_web().find_place(gone.cid(), Talk::key(0)).value(), std::nullopt);
  EXPECT_THAT(store_->effects(first).value(), IsEmpty());
  EXPECT_THAT(scan(*store_).dangling, ElementsAre(gone.cid()));
  EXPECT_EQ(get(other).content.at("text"), "other");
  expect_counts_to_be_true(*store_, stays.cid());
  expect_well_signed(stays.cid());
}

TEST_P(Forgetful, LeavesATombstoneThatSaysSo) {
  Talk gone("gone");
  gone.says("first");
  commit(gone);
  const ForgetRequest forget = prepared({gone.cid()});
  EXPECT_THAT(store_->forgetting().tombstones().value(), IsEmpty());
  const auto before = store_->changes_since({}).value();
  EXPECT_FALSE(before.forgot);
  ASSERT_TRUE(store_->forgetting().forget(forget));
  EXPECT_EQ(get(forget.tombstone.cid), forget.tombstone);
  EXPECT_THAT(store_->forgetting().tombstones().value(), ElementsAre(forget.tombstone.cid));
  const auto after = store_->changes_since(before.checkpoint).value();
  EXPECT_TRUE(after.forgot);
  EXPECT_FALSE(store_->changes_since(after.checkpoint).value().forgot);
  EXPECT_THAT(store_->forgetting().tombstones_of(gone.cid()).value(),
              ElementsAre(forget.tombstone.cid));
  EXPECT_THAT(store_->get(gone.cid()).error().message, HasSubstr("was forgotten"));
  EXPECT_THAT(store_->forgetting().tombstones_of(gone.owner()).value(), IsEmpty());
  EXPECT_TRUE(store_->known_web().is_forgotten(Talk::key(1000)).value());
  EXPECT_FALSE(store_->known_web().is_forgotten(Talk::key(1001)).value());
  EXPECT_TRUE(store_->has(ada_.identity.cid).value()) << "who signed it stays";
}

TEST_P(Forgetful, KeepsTheLogOfCheckpointsAndAddsTheTombstone) {
  Talk gone("gone"), stays("stays");
  gone.says("first");
  commit(gone);
  stays.says("other");
  commit(stays);
  std::vector<Cid> log = store_->audit().checkpoint_log().value();
  const ForgetRequest forget = prepared({gone.cid()});
  ASSERT_TRUE(store_->forgetting().forget(forget));
  log.push_back(forget.tombstone.cid);
  EXPECT_EQ(store_->audit().checkpoint_log().value(), log);
  EXPECT_TRUE(to_checkpoint(get(*gone.checkpoint())));
  EXPECT_THAT(store_->audit().leaves(*gone.checkpoint()).value(), IsEmpty());
}

// The fork's own checkpoint covers what it shares.
TEST_P(Forgetful, SignsThroughTheForksTreeWhatItSharesWithTheForgotten) {
  const Fork it = fork_units();
  const std::vector<Cid> leaves = store_->audit().leaves(*it.fork.checkpoint()).value();
  const ForgetRequest forget = prepared({it.origin.cid()});
  EXPECT_THAT(forget.plan.orphans, IsEmpty());
  ASSERT_TRUE(store_->forgetting().forget(forget));
  const Thought cause = get(cid_of(it.cause));
  EXPECT_EQ(std::get<thought::TreeSignature>(cause.signature).checkpoint, *it.fork.checkpoint());
  EXPECT_EQ(store_->audit().leaves(*it.fork.checkpoint()).value(), leaves);
  for (const Cid& leaf : leaves) EXPECT_TRUE(store_->has(leaf).value());
  expect_well_signed(it.fork.cid());
  expect_counts_to_be_true(*store_, it.fork.cid());
}

TEST_P(Forgetful, CoversAgainWhatAForkOfVersion1SharesWithTheForgotten) {
  const Fork it = fork_units("ada", ForkVersion::first);
  const ForgetRequest forget = prepared({it.origin.cid()});
  ASSERT_EQ(forget.plan.orphans.size(), 1u);
  const ForgetPlan::Orphans& orphans = forget.plan.orphans[0];
  EXPECT_EQ(orphans.conversation, it.fork.cid());
  EXPECT_THAT(orphans.edges, ElementsAre(cid_of(it.cause)));
  // The owner, the schema and both blocks: what the origin's checkpoint covered.
  EXPECT_THAT(orphans.thoughts, testing::AllOf(testing::SizeIs(4), Contains(it.first),
                                               Contains(it.second), Contains(it.fork.owner())));
  ASSERT_TRUE(store_->forgetting().forget(forget));

  EXPECT_EQ(store_->audit().leaves(forget.checkpoints[0]->cid).value(), orphans.leaves());
  const Thought cause = get(cid_of(it.cause));
  EXPECT_EQ(std::get<thought::TreeSignature>(cause.signature).checkpoint,
            forget.checkpoints[0]->cid);
  expect_well_signed(it.fork.cid());
  expect_counts_to_be_true(*store_, it.fork.cid());
  EXPECT_EQ(get(it.first).content.at("text"), "first");
  const auto known =
      store_->known_web().find_conversation(it.fork.heading(), it.fork.owner()).value();
  EXPECT_EQ(known->checkpoint, forget.checkpoints[0]->cid);
  // The edge to the origin is the fork's own word, and stays; where it led is known.
  EXPECT_THAT(neighbours(it.fork.cid(), "continues", Direction::from),
              ElementsAre(it.origin.cid()));
  EXPECT_THAT(types_of(all_of(*store_, it.fork.cid())), Contains("tombstone"));
}

TEST_P(Forgetful, TakesOnlyItsOwnWhenTheForkIsForgotten) {
  const Fork it = fork_units();
  const std::vector<Thought> before = all_of(*store_, it.origin.cid());
  forget({it.fork.cid()});
  EXPECT_EQ(all_of(*store_, it.origin.cid()), before);
  EXPECT_THAT(neighbours(it.origin.cid(), "continues", Direction::to), IsEmpty());
  EXPECT_THAT(scan(*store_).dangling, ElementsAre(it.fork.cid()));
}

TEST_P(Forgetful, KeepsThePathsOfEdgesThatAreNotItsToSign) {
  const Fork it = fork_units("bob", ForkVersion::first);
  const ForgetRequest forget = prepared({it.origin.cid()});
  ASSERT_EQ(forget.checkpoints.size(), 1u);
  EXPECT_FALSE(forget.checkpoints[0]);
  ASSERT_TRUE(store_->forgetting().forget(forget));
  expect_well_signed(it.fork.cid());
  EXPECT_TRUE(store_->has(it.fork.owner()).value());
}

TEST_P(Forgetful, TakesAllOfAForkAndItsOriginTogether) {
  const Fork it = fork_units();
  forget({it.origin.cid(), it.fork.cid()});
  EXPECT_EQ(code_of_get(it.first), ErrorCode::not_found);
  EXPECT_EQ(code_of_get(cid_of(it.cause)), ErrorCode::not_found);
  EXPECT_THAT(scan(*store_).dangling, UnorderedElementsAre(it.origin.cid(), it.fork.cid()));
}

TEST_P(Forgetful, NamesWhatIsGoneAndStillSpokenOf) {
  Talk gone("gone"), stays("stays");
  const Cid call = gone.says("a call");
  commit(gone);
  stays.says("spawned");
  stays.connect("spawns", call, stays.cid());
  commit(stays);
  const ForgetRequest forget = prepared({gone.cid()});
  EXPECT_THAT(forget.plan.spoken_of, ElementsAre(call));
  ASSERT_TRUE(store_->forgetting().forget(forget));
  EXPECT_THAT(store_->forgetting().tombstones_of(call).value(), ElementsAre(forget.tombstone.cid));
  EXPECT_THAT(scan(*store_).dangling, UnorderedElementsAre(gone.cid(), call));
}

TEST_P(Forgetful, RefusesWhatWasPreparedOnAnotherState) {
  Talk gone("gone"), stays("stays");
  const Cid first = gone.says("first");
  commit(gone);
  const ForgetRequest forget = prepared({gone.cid()});
  gone.says("more");
  commit(gone);
  const std::vector<Cid> log = store_->audit().checkpoint_log().value();
  EXPECT_EQ(store_->forgetting().forget(forget).error().code, ErrorCode::conflict);
  EXPECT_TRUE(store_->has(first).value());
  EXPECT_FALSE(store_->has(forget.tombstone.cid).value());
  EXPECT_EQ(store_->audit().checkpoint_log().value(), log);
  // Somebody came to share it.
  const ForgetRequest again = prepared({gone.cid()});
  stays.brings(get(first));
  stays.shares(first);
  commit(stays);
  EXPECT_EQ(store_->forgetting().forget(again).error().code, ErrorCode::conflict);
  EXPECT_EQ(store_->forgetting().plan({first}, ada_.identity.cid).error().code,
            ErrorCode::not_found);
}

TEST_P(Forgetful, DoesNotTakeItInAgain) {
  Talk gone("gone"), same("gone"), late("late");
  gone.says("first");
  commit(gone);
  const std::vector<Thought> exported = all_of(*store_, gone.cid());
  forget({gone.cid()});
  gone.says("more");
  EXPECT_EQ(store_->writer().commit(gone.batch()).error().code, ErrorCode::conflict);
  same.says("first");
  ASSERT_EQ(same.cid(), gone.cid());
  EXPECT_EQ(store_->writer().commit(same.batch()).error().code, ErrorCode::conflict);
  EXPECT_EQ(store_->writer().import(exported, {}).error().code, ErrorCode::invalid_input);
  // Nor does anything come that was joined to it while it was there.
  late.says("late");
  late.connect("continues", late.cid(), gone.cid());
  EXPECT_EQ(store_->writer().commit(late.batch()).error().code, ErrorCode::conflict);
  EXPECT_EQ(store_->forgetting().plan({gone.cid()}, ada_.identity.cid).error().code,
            ErrorCode::not_found);
}

INSTANTIATE_TEST_SUITE_P(EveryBackend, Forgetful, testing::ValuesIn(every_backend()), backend_name);

}  // namespace
}  // namespace weft::store
