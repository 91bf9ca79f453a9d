// What every store must do: commits, and the store as a whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/crypto/blake3.hpp"
#include "weft/store/store_contract_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;
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
  const Result<Committed> refused = store_->commit(rival.batch());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  expect_counts_to_be_true(*store_, talk.cid());
  EXPECT_THAT(store_->checkpoint_log().value(), ElementsAre(*talk.checkpoint()));
}

TEST_P(StoreContract, RefusesALeafThatAnotherCheckpointSignedMeanwhile) {
  Talk talk("s1"), again("s1");
  talk.says("a");
  again.says("a");
  commit(talk);
  Batch batch = again.batch();
  batch.units[0].previous = talk.checkpoint();
  EXPECT_EQ(store_->commit(batch).error().code, ErrorCode::conflict);
  EXPECT_THAT(store_->checkpoint_log().value(), ElementsAre(*talk.checkpoint()));
}

TEST_P(StoreContract, WritesNothingOfABatchThatFails) {
  Talk good("good"), talk("s1"), rival("s1");
  talk.says("a");
  commit(talk);
  const Cid block = good.says("new");
  rival.says("b");
  Batch batch = good.batch();
  batch.units.push_back(rival.take());
  EXPECT_EQ(store_->commit(batch).error().code, ErrorCode::conflict);
  EXPECT_FALSE(store_->has(block).value());
  EXPECT_FALSE(store_->has(good.cid()).value());
  EXPECT_THAT(store_->conversations({}).value(), SizeIs(1));
  EXPECT_THAT(store_->dangling().value(), IsEmpty());
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
  EXPECT_EQ(store_->commit(batch).error().code, ErrorCode::conflict);
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
  EXPECT_THAT(store_->checkpoint_log().value(), SizeIs(5));
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

TEST_P(StoreContract, SaysOnWhatAPieceOfTheArchiveLeansInTheOrderItWasTold) {
  Talk talk("s1");
  const Cid one = talk.says("one"), two = talk.says("two"), three = talk.says("three");
  Batch batch = talk.batch();
  SourceUpdate update{
      .source = {.key = Talk::key(7), .format = "test", .size = 8, .archived = 8},
      .segments = {{.seq = 0, .size = 4, .sealed = "four", .dictionary = {three, one}},
                   {.seq = 1, .size = 4, .sealed = "more"}},
      .conversations = {talk.cid()}};
  batch.sources = {update};
  ASSERT_TRUE(store_->commit(batch));
  std::vector<Segment> pieces;
  ASSERT_TRUE(store_->each_segment(Talk::key(7), 0, [&](Segment piece) {
    pieces.push_back(std::move(piece));
    return true;
  }));
  ASSERT_THAT(pieces, SizeIs(2));
  EXPECT_THAT(pieces[0].dictionary, ElementsAre(three, one));
  EXPECT_THAT(pieces[1].dictionary, IsEmpty());
  // Told again, longer: what it leaned on before counts no more.
  const Cid four = talk.says("four");
  batch = talk.batch();
  update.source.revision = 1;
  update.segments = {{.seq = 1, .size = 8, .sealed = "moremore", .dictionary = {four}}};
  batch.sources = {update};
  ASSERT_TRUE(store_->commit(batch));
  EXPECT_THAT(store_->last_segment(Talk::key(7), 0).value()->dictionary, ElementsAre(four));
  // What does not come with it may be gone one day, and the piece with it.
  talk.says("five");
  batch = talk.batch();
  update.source.revision = 2;
  update.segments = {{.seq = 2, .size = 1, .sealed = "x", .dictionary = {two}}};
  batch.sources = {update};
  EXPECT_EQ(store_->commit(batch).error().code, ErrorCode::internal);
}

TEST_P(StoreContract, VisitsEveryThoughtAndEveryConnectionOnce) {
  Talk a("a"), b("b");
  a.says("x");
  b.thinks("y");
  Batch batch = a.batch();
  batch.units.push_back(b.take());
  commit(batch);
  std::unordered_set<Cid> expected, expected_edges, thoughts, edges;
  for (const weave::CommitUnit& unit : batch.units) {
    for (const Thought& thought : unit.thoughts) expected.insert(thought.cid);
    for (const Connection& edge : unit.connections) expected_edges.insert(thought::cid_of(edge));
  }
  const auto broken = [](const Cid& cid, const std::string& reason) {
    ADD_FAILURE() << cid.str() << ": " << reason;
  };
  EXPECT_TRUE(store_->each_thought(
      [&](const Thought& thought) {
        EXPECT_EQ(thought::cid_of(thought), thought.cid);
        return thoughts.insert(thought.cid).second;
      },
      broken));
  EXPECT_TRUE(store_->each_connection(
      [&](const Cid& name, const Connection& edge) {
        EXPECT_EQ(thought::cid_of(edge), name);
        return edges.insert(name).second;
      },
      broken));
  EXPECT_EQ(thoughts, expected);
  EXPECT_EQ(edges, expected_edges);
}

// More ids than a stretch holds, and one name that leads nowhere.
TEST_P(StoreContract, InspectsEveryRowOnceWhateverTheStretch) {
  Talk talk("s1");
  for (int i = 0; i < 500; ++i) talk.says(std::to_string(i));
  Batch batch = talk.batch();
  Thought& last = batch.units[0].thoughts.back();
  const Cid nowhere(Digest{1});
  last.because.push_back({.thought = nowhere});
  commit(batch);
  std::vector<Cid> thoughts, edges, dangling;
  const Inspector inspector{
      .thought =
          [&](const CanonicalThought& form) {
            thoughts.push_back(form.thought.cid);
            if (form.thought.cid != last.cid) {
              EXPECT_EQ(Cid(crypto::blake3(form.canonical)), form.thought.cid);
            }
          },
      .connection =
          [&](const std::optional<Cid>& name, const Connection& edge) {
            edges.push_back(thought::cid_of(edge));
            EXPECT_EQ(name.value_or(edges.back()), edges.back());
          },
      .dangling = [&](const Cid& name) { dangling.push_back(name); },
      .broken = [](const Cid& cid,
                   const std::string& reason) { ADD_FAILURE() << cid.str() << ": " << reason; }};
  const std::vector<ScanRange> scan_ranges = store_->scan_ranges().value();
  EXPECT_GT(scan_ranges.size(), 1u);
  for (const ScanRange& range : scan_ranges) EXPECT_TRUE(store_->inspect(range, inspector));

  std::vector<Cid> expected, expected_edges;
  for (const Thought& thought : batch.units[0].thoughts) expected.push_back(thought.cid);
  for (const Connection& edge : batch.units[0].connections) {
    expected_edges.push_back(thought::cid_of(edge));
  }
  EXPECT_THAT(thoughts, UnorderedElementsAreArray(expected));
  EXPECT_THAT(edges, UnorderedElementsAreArray(expected_edges));
  EXPECT_THAT(dangling, ElementsAre(nowhere));
}

TEST_P(StoreContract, KeepsTheLeavesAndTheLogOfCheckpoints) {
  Talk a("a"), b("b");
  std::vector<Cid> log;
  for (int i = 0; i < 3; ++i) {
    for (Talk* talk : {&a, &b}) {
      talk->says(talk->heading().session_id + std::to_string(i));
      const Batch batch = talk->batch();
      commit(batch);
      log.push_back(*batch.units[0].checkpoint);
      EXPECT_EQ(store_->leaves(log.back()).value(), batch.units[0].leaves);
    }
  }
  EXPECT_EQ(store_->checkpoint_log().value(), log);
  EXPECT_THAT(store_->leaves(a.cid()).value(), IsEmpty());
}

TEST_P(StoreContract, HasNothingDanglingInAWholeWeb) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  EXPECT_THAT(store_->dangling().value(), IsEmpty());
}

}  // namespace
}  // namespace weft::store
