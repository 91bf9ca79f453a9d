// The contract of Graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/contract_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using thought::Connection;

TEST_P(StoreContract, LeadsAlongEdgesBothWays) {
  Talk talk("s1");
  const Cid a = talk.says("a"), b = talk.says("b"), c = talk.says("c");
  commit(talk);
  EXPECT_THAT(neighbours(b, "causes", Direction::from), ElementsAre(c));
  EXPECT_THAT(neighbours(b, "causes", Direction::to), ElementsAre(a));
  EXPECT_THAT(neighbours(b, "causes", Direction::both), ElementsAre(c, a));
  EXPECT_THAT(neighbours(b, "contains", Direction::from), IsEmpty());
  EXPECT_THAT(neighbours(b, "a relation nobody uses", Direction::both), IsEmpty());
  const Cid turn = neighbours(talk.cid(), "contains", Direction::from).at(0);
  EXPECT_THAT(neighbours(turn, "contains", Direction::from), ElementsAre(a, b, c));
}

TEST_P(StoreContract, OrdersEdgesByIndexThenAsTheyWereWoven) {
  Talk talk("s1");
  const Cid a = talk.says("a"), b = talk.says("b"), c = talk.says("c"), d = talk.says("d");
  const Cid hub = talk.says("hub");
  talk.connect("joins", hub, d, 2);
  talk.connect("joins", hub, b, 10);
  talk.connect("joins", hub, c, 2);
  talk.connect("joins", hub, a, 1);
  commit(talk);
  EXPECT_THAT(neighbours(hub, "joins", Direction::from), ElementsAre(a, d, c, b));
  std::vector<Cid> ends;
  const auto edges = store_->connections(hub, "joins", Direction::from);
  for (const Connection& edge : edges.value()) ends.push_back(edge.to);
  EXPECT_THAT(ends, ElementsAre(a, d, c, b));
}

TEST_P(StoreContract, TellsTheEdgesFromAThoughtBeforeThoseToIt) {
  Talk talk("s1");
  const Cid a = talk.says("a"), b = talk.says("b");
  const Cid next = talk.says("c");
  commit(talk);
  const std::vector<Connection> edges =
      store_->connections(b, std::nullopt, Direction::both).value();
  ASSERT_THAT(edges, SizeIs(3));
  EXPECT_EQ(edges[0].to, next);
  EXPECT_EQ(edges[1].from, a);
  EXPECT_EQ(edges[2].relation, "contains");
  for (const Connection& edge : edges) expect_tree_signed(thought::to_thought(edge));
}

TEST_P(StoreContract, KnowsWhatAThoughtLedTo) {
  Talk talk("s1");
  const Cid a = talk.says("a"), b = talk.says("b");
  commit(talk);
  EXPECT_THAT(store_->effects(a).value(), ElementsAre(b));
  const Cid c = talk.says("c");
  commit(talk);
  EXPECT_THAT(store_->effects(b).value(), ElementsAre(c));
  EXPECT_THAT(store_->effects(c).value(), IsEmpty());
}

}  // namespace
}  // namespace weft::store
