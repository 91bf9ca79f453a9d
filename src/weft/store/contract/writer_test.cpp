// The contract of Writer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/crypto/blake3.hpp"
#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using thought::Connection;
using thought::Thought;

// The same once more, as a weaver brings what it knows to be there: nothing is left to sign.
Batch as_known(Batch batch, const std::optional<Cid>& checkpoint) {
  weave::CommitUnit& unit = batch.units[0];
  unit.previous = checkpoint;
  unit.leaves.clear();
  unit.checkpoint.reset();
  unit.thoughts.pop_back();
  for (Thought& thought : unit.thoughts) thought.signature = crypto::SignatureBytes{};
  for (Connection& edge : unit.connections) edge.signature = crypto::SignatureBytes{};
  return batch;
}

TEST_P(StoreContract, TakesWhatIsThereAlreadyAsSaid) {
  Talk talk("s1");
  talk.says("a");
  const Committed first = commit(talk);
  EXPECT_EQ(first.new_thoughts, row(talk.cid()).thought_count);
  EXPECT_THAT(first.new_by_unit, ElementsAre(first.new_thoughts));
  // identity, schema, conversation, turn, block and two edges; the checkpoint is not counted
  EXPECT_EQ(first.new_thoughts, 7u);

  Talk again("s1");
  again.says("a");
  const Committed second = commit(as_known(again.batch(), talk.checkpoint()));
  EXPECT_EQ(second.new_thoughts, 0u);
  EXPECT_EQ(row(talk.cid()).thought_count, 7u);
  expect_counts_to_be_true(*store_, talk.cid());
}

TEST_P(StoreContract, RefusesWhatWasWovenOnAnOlderState) {
  Talk talk("s1"), rival("s1");
  talk.says("a");
  rival.says("b");
  commit(talk);
  const Result<Committed> refused = store_->writer().commit(rival.batch());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  expect_counts_to_be_true(*store_, talk.cid());
  EXPECT_THAT(store_->audit().checkpoint_log().value(), ElementsAre(*talk.checkpoint()));
}

// Two forks weave the same edge at once: each thinks that it is new.
TEST_P(StoreContract, KeepsOneSignatureOfALeafThatTwoCheckpointsCover) {
  Talk origin("origin"), first("first"), second("second");
  const Cid a = origin.says("a"), b = origin.says("b");
  commit(origin);
  for (Talk* fork : {&first, &second}) {
    for (const Cid& cid : {a, b}) {
      fork->brings(get(cid));
      fork->shares(cid);
    }
  }
  const Cid edge = first.connect("sequence", a, b);
  ASSERT_EQ(second.connect("sequence", a, b), edge);
  const Batch batches[] = {first.batch(), second.batch()};
  for (const Batch& batch : batches) commit(batch);
  for (const Batch& batch : batches) {
    const weave::CommitUnit& unit = batch.units[0];
    EXPECT_THAT(unit.leaves, testing::Contains(edge));
    EXPECT_EQ(store_->audit().leaves(*unit.checkpoint).value(), unit.leaves);
  }
  EXPECT_EQ(std::get<thought::TreeSignature>(get(edge).signature).checkpoint, *first.checkpoint());
  for (const Talk* fork : {&first, &second}) {
    expect_counts_to_be_true(*store_, fork->cid());
    for (const Thought& thought : all_of(*store_, fork->cid())) {
      const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature);
      if (tree == nullptr) continue;
      EXPECT_EQ(tree->checkpoint, *fork->checkpoint()) << "each by its own";
      expect_tree_signed(thought);
    }
  }
}

TEST_P(StoreContract, WritesNothingOfABatchThatFails) {
  Talk good("good"), talk("s1"), rival("s1");
  talk.says("a");
  commit(talk);
  const Cid block = good.says("new");
  rival.says("b");
  Batch batch = good.batch();
  batch.units.push_back(rival.take());
  EXPECT_EQ(store_->writer().commit(batch).error().code, ErrorCode::conflict);
  EXPECT_FALSE(store_->has(block).value());
  EXPECT_FALSE(store_->has(good.cid()).value());
  EXPECT_THAT(store_->conversations({}).value(), SizeIs(1));
  EXPECT_THAT(scan(*store_).dangling, IsEmpty());
  batch.units.pop_back();
  commit(batch);  // and goes on as if nothing had been
  EXPECT_TRUE(store_->has(block).value());
}

TEST_P(StoreContract, RefusesNewThoughtsThatNobodySigned) {
  Talk talk("s1");
  const Cid cid = talk.says("a");
  Batch batch = talk.batch();
  std::ranges::find(batch.units[0].thoughts, cid, &Thought::cid)->signature =
      crypto::SignatureBytes{};
  EXPECT_EQ(store_->writer().commit(batch).error().code, ErrorCode::conflict);
  EXPECT_FALSE(store_->has(talk.cid()).value());
}

TEST_P(StoreContract, GoesOnFromCommitToCommit) {
  Talk talk("s1");
  std::vector<Cid> said;
  for (int i = 0; i < 5; ++i) {
    said.push_back(talk.says(std::to_string(i)));
    said.push_back(talk.says(std::to_string(i) + "!"));
    if (i % 2 == 1) talk.turn();
    commit(talk);
  }
  expect_counts_to_be_true(*store_, talk.cid());
  EXPECT_EQ(row(talk.cid()).block_count, said.size());
  EXPECT_THAT(store_->audit().checkpoint_log().value(), SizeIs(5));
  std::vector<Cid> blocks;
  for (const Thought& thought : all_of(*store_, talk.cid())) {
    if (thought.type == "test/response") blocks.push_back(thought.cid);
  }
  EXPECT_EQ(blocks, said);
}

TEST_P(StoreContract, TakesManyConversationsInOneCommit) {
  Talk a("a"), b("b");
  a.says("x");
  b.says("y");
  Batch batch = a.batch();
  batch.units.push_back(b.take());
  a.says("z");
  batch.units.push_back(a.take());
  const Committed done = commit(batch);
  ASSERT_THAT(done.new_by_unit, SizeIs(3));
  // The second shares its owner and its schema with the first.
  EXPECT_EQ(done.new_by_unit[1] + 2, row(b.cid()).thought_count);
  expect_counts_to_be_true(*store_, a.cid());
  expect_counts_to_be_true(*store_, b.cid());
}

TEST_P(StoreContract, KeepsWhatItWasGivenWhenItIsOpenedAgain) {
  Talk talk("s1");
  const Cid cid = talk.says("a");
  const Batch batch = talk.batch();
  commit(batch);
  const std::vector<Thought> before = all_of(*store_, talk.cid());
  store_.reset();
  store_ = open();
  EXPECT_EQ(all_of(*store_, talk.cid()), before);
  EXPECT_TRUE(store_->has(cid).value());
}

// --- the store as a whole --------------------------------------------------------------

}  // namespace
}  // namespace weft::store
