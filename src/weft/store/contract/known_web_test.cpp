// The contract of KnownWeb, which a store answers to weaving.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/contract_for_test.hpp"

namespace weft::store {
namespace {

TEST_P(StoreContract, FindsAConversationByItsHeading) {
  Talk talk("s1");
  EXPECT_FALSE(store_->known_web().find_conversation(talk.heading(), talk.owner()).value());
  talk.says("a");
  const Cid facts = talk.facts("title");
  commit(talk);
  const auto known = store_->known_web().find_conversation(talk.heading(), talk.owner()).value();
  ASSERT_TRUE(known);
  EXPECT_EQ(known->cid, talk.cid());
  EXPECT_EQ(known->turns, 1u);
  EXPECT_EQ(known->checkpoint, talk.checkpoint());
  EXPECT_EQ(known->facts, facts);
  transcript::Heading other = talk.heading();
  other.source = "subagent:7";
  EXPECT_FALSE(store_->known_web().find_conversation(other, talk.owner()).value());
}

TEST_P(StoreContract, RemembersWhatStandsAtAPlace) {
  Talk talk("s1"), other("s2");
  const Cid first = talk.says("a");
  commit(talk);
  EXPECT_EQ(store_->known_web().find_place(talk.cid(), Talk::key(0)).value(), first);
  EXPECT_EQ(store_->known_web().find_place(talk.cid(), Talk::key(1)).value(), std::nullopt);
  EXPECT_EQ(store_->known_web().find_place(other.cid(), Talk::key(0)).value(), std::nullopt);
  const Cid second = talk.says("a, I mean b");
  talk.restates(0, second);
  commit(talk);
  EXPECT_EQ(store_->known_web().find_place(talk.cid(), Talk::key(0)).value(), second);
}

TEST_P(StoreContract, FindsTheFirstHolderThatFitsAmongHoweverMany) {
  Talk origin("origin");
  const Cid block = origin.says("a");
  commit(origin);
  std::vector<Cid> holders{origin.cid()};
  for (int i = 0; i < 40; ++i) {
    Talk fork("fork " + std::to_string(i));
    fork.brings(get(block));
    fork.shares(block);
    commit(fork);
    holders.push_back(fork.cid());
  }
  std::vector<Cid> asked;
  const auto first = store_->known_web().find_holder(block, [&](const Cid& holder) {
    asked.push_back(holder);
    return true;
  });
  EXPECT_EQ(first.value(), origin.cid());
  EXPECT_EQ(asked.size(), 1u) << "who is not wanted is not looked at";
  asked.clear();
  const auto last = store_->known_web().find_holder(block, [&](const Cid& holder) {
    asked.push_back(holder);
    return holder == holders.back();
  });
  EXPECT_EQ(last.value(), holders.back());
  EXPECT_EQ(asked, holders) << "each once, in the order in which they came to hold it";
  EXPECT_EQ(store_->known_web().find_holder(block, [](const Cid&) { return false; }).value(),
            std::nullopt);
}

}  // namespace
}  // namespace weft::store
