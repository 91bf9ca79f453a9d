// The contract of Audit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/crypto/blake3.hpp"
#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;
using thought::Connection;
using thought::Thought;

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
  const Scan all = scan(*store_);
  EXPECT_TRUE(all.status);
  EXPECT_TRUE(all.broken.empty());
  for (const Thought& thought : all.thoughts) {
    EXPECT_EQ(thought::cid_of(thought), thought.cid);
    EXPECT_TRUE(thoughts.insert(thought.cid).second);
  }
  for (const auto& [name, edge] : all.connections) {
    EXPECT_EQ(thought::cid_of(edge), name);
    EXPECT_TRUE(edges.insert(name).second);
  }
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
  const std::vector<ScanRange> scan_ranges = store_->audit().scan_ranges().value();
  EXPECT_GT(scan_ranges.size(), 1u);
  for (const ScanRange& range : scan_ranges) EXPECT_TRUE(store_->audit().inspect(range, inspector));

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
      EXPECT_EQ(store_->audit().leaves(log.back()).value(), batch.units[0].leaves);
    }
  }
  EXPECT_EQ(store_->audit().checkpoint_log().value(), log);
  EXPECT_THAT(store_->audit().leaves(a.cid()).value(), IsEmpty());
}

TEST_P(StoreContract, HasNothingDanglingInAWholeWeb) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  EXPECT_THAT(scan(*store_).dangling, IsEmpty());
}

}  // namespace
}  // namespace weft::store
