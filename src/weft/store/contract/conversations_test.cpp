// The contract of Conversations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using thought::Connection;
using thought::Thought;

TEST_P(StoreContract, ListsConversationsTheLastTouchedFirst) {
  Talk a("a"), b("b"), c("c");
  for (Talk* talk : {&a, &b, &c}) {
    talk->says("hi");
    commit(*talk);
  }
  b.says("again");
  commit(b);
  const auto listed = [&](const ConversationFilter& filter) {
    std::vector<std::string> sessions;
    const auto rows = store_->conversations(filter);
    for (const ConversationRow& row : rows.value()) sessions.push_back(row.session_id);
    return sessions;
  };
  EXPECT_THAT(listed({}), ElementsAre("b", "c", "a"));
  EXPECT_THAT(listed({.session_id = "c"}), ElementsAre("c"));
  EXPECT_THAT(listed({.format = "test"}), SizeIs(3));
  EXPECT_THAT(listed({.format = "other"}), IsEmpty());
}

TEST_P(StoreContract, ShowsAConversationAsItsThoughtSaysIt) {
  Talk talk("s1");
  talk.says("a");
  talk.facts("old");
  const Cid facts = talk.facts("new");
  commit(talk);
  const ConversationRow shown = row(talk.cid());
  EXPECT_EQ(shown.cid, talk.cid());
  EXPECT_EQ(shown.format, "test");
  EXPECT_EQ(shown.session_id, "s1");
  EXPECT_EQ(shown.source, "primary");
  EXPECT_EQ(shown.created_at, get(talk.cid()).created_at);
  EXPECT_EQ(shown.facts, facts);
  EXPECT_EQ(store_->conversation(facts).error().code, ErrorCode::not_found);
  EXPECT_EQ(store_->conversation(Cid()).error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, FindsTheFirstBlocksOfAKindAsTheyAreSaid) {
  Talk talk("s1");
  const auto asks = [&talk](const std::string& text) {
    Thought block;
    block.type = "test/human_input";
    block.content = {{"text", text}};
    return talk.stands(std::move(block));
  };
  const auto found = [&](std::string_view kind, std::size_t limit) {
    return store_->find_blocks(talk.cid(), kind, limit).value();
  };
  talk.says("hello");
  talk.turn("human");
  const Cid misspelt = asks("wy?"), why = asks("why?");
  talk.connect("supersedes", why, misspelt);
  commit(talk);
  const Cid more = asks("and more");
  talk.turn("assistant");
  const Cid because = talk.says("because");
  talk.turn("human");
  const Cid thanks = asks("thanks");
  commit(talk);
  EXPECT_THAT(found("human_input", 9), ElementsAre(why, more, thanks));
  EXPECT_THAT(found("human_input", 2), ElementsAre(why, more));
  EXPECT_THAT(found("response", 9), testing::Contains(because));
  EXPECT_THAT(found("thinking", 9), IsEmpty());
  EXPECT_THAT(store_->find_blocks(Cid(), "human_input", 9).value(), IsEmpty());
}

TEST_P(StoreContract, VisitsWhatAConversationHoldsInItsOrder) {
  Talk talk("s1");
  talk.says("a");
  talk.thinks("b");
  talk.facts("title");
  commit(talk);
  talk.says("c");
  commit(talk);
  EXPECT_THAT(types_of(all_of(*store_, talk.cid())),
              ElementsAre("identity", "schema", "test/conversation", "test/response",
                          "test/thinking", "test/response", "test/turn", "connection", "connection",
                          "connection", "connection", "connection", "connection",
                          "test/conversation_facts", "checkpoint", "checkpoint"));
  expect_counts_to_be_true(*store_, talk.cid());
}

TEST_P(StoreContract, StopsVisitingWhenToldTo) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  int visited = 0;
  EXPECT_TRUE(store_->each_of(talk.cid(), [&](const Thought&) { return ++visited < 2; }));
  EXPECT_EQ(visited, 2);
  EXPECT_EQ(store_->each_of(Cid(), [](const Thought&) { return true; }).error().code,
            ErrorCode::not_found);
}

TEST_P(StoreContract, AnswersOtherQuestionsWhileItVisits) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  EXPECT_TRUE(store_->each_of(talk.cid(), [&](const Thought& thought) {
    EXPECT_EQ(get(thought.cid), without_covers(thought));
    return true;
  }));
}

TEST_P(StoreContract, LetsTwoConversationsShareThoughts) {
  Talk origin("origin"), fork("fork");
  const Cid a = origin.says("a"), b = origin.says("b");
  commit(origin);
  fork.brings(get(a));
  fork.shares(a);
  fork.brings(get(b));
  fork.shares(b);
  const Cid c = fork.says("c");
  const Committed done = commit(fork);
  // Of the fork's own: conversation, schema, turn, c, and the edges that lead from or to them.
  EXPECT_LT(done.new_thoughts, row(fork.cid()).thought_count);
  expect_counts_to_be_true(*store_, origin.cid());
  expect_counts_to_be_true(*store_, fork.cid());
  EXPECT_EQ(row(fork.cid()).block_count, 3u);
  std::vector<Cid> blocks;
  for (const Thought& thought : all_of(*store_, fork.cid())) {
    if (thought.type == "test/response") blocks.push_back(thought.cid);
  }
  EXPECT_THAT(blocks, ElementsAre(a, b, c)) << "in the order woven, shared or not";
  EXPECT_THAT(store_->conversations_of(a).value(), ElementsAre(fork.cid(), origin.cid()));
  EXPECT_THAT(store_->conversations_of(c).value(), ElementsAre(fork.cid()));
}

TEST_P(StoreContract, TellsASharersReaderTheCheckpointsThatSignWhatItShares) {
  Talk origin("origin"), fork("fork");
  const Cid a = origin.says("a"), b = origin.says("b");
  const Batch first = origin.batch();
  commit(first);
  fork.brings(get(a));
  fork.brings(get(b));
  fork.shares(a);
  Batch second = fork.batch();
  // The edge between two shared blocks is the origin's: known, and signed by its tree.
  for (const Connection& edge : first.units[0].connections) {
    if (edge.relation == "causes") {
      second.units[0].connections.push_back(edge);
      second.units[0].connections.back().signature = crypto::SignatureBytes{};
    }
  }
  commit(second);
  const std::vector<Thought> all = all_of(*store_, fork.cid());
  std::unordered_set<Cid> there;
  for (const Thought& thought : all) there.insert(thought.cid);
  EXPECT_TRUE(there.contains(*origin.checkpoint()));
  for (const Thought& thought : all) {
    if (const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
      EXPECT_TRUE(there.contains(tree->checkpoint));
      expect_tree_signed(thought);
    }
  }
  expect_counts_to_be_true(*store_, fork.cid());
}

TEST_P(StoreContract, TellsWhereATurnAndABlockStand) {
  Talk talk("s1");
  const Cid a = talk.says("a");
  commit(talk);
  const Cid turn = neighbours(talk.cid(), "contains", Direction::from).at(0);
  EXPECT_THAT(store_->conversations_of(turn).value(), ElementsAre(talk.cid()));
  EXPECT_THAT(store_->conversations_of(a).value(), ElementsAre(talk.cid()));
  EXPECT_THAT(store_->conversations_of(talk.owner()).value(), IsEmpty());
}

TEST_P(StoreContract, CountsAPlaceForEachTimeThatABlockStands) {
  Talk talk("s1");
  const Cid yes = talk.says("yes");
  talk.turn();
  talk.shares(yes);
  commit(talk);
  EXPECT_EQ(row(talk.cid()).block_count, 2u);
  expect_counts_to_be_true(*store_, talk.cid());
}

TEST_P(StoreContract, TellsWhatCameToStandAfterAMarkAndNothingElse) {
  Talk talk("s1"), other("s2");
  const auto after = [&](std::uint64_t mark, std::size_t limit = 99) {
    return store_->placed_blocks(talk.cid(), mark, limit).value();
  };
  EXPECT_THAT(after(0), IsEmpty());
  const Cid a = talk.says("a"), b = talk.says("b");
  commit(talk);
  other.says("of another");
  commit(other);
  talk.turn();
  const Cid c = talk.says("c");
  talk.shares(a);
  commit(talk);
  const std::vector<PlacedBlock> all = after(0);
  ASSERT_THAT(all, SizeIs(4));
  const auto turns = neighbours(talk.cid(), "contains", Direction::from);
  const std::vector<std::tuple<Cid, Cid, std::uint64_t>> expected = {
      {turns.at(0), a, 0}, {turns.at(0), b, 1}, {turns.at(1), c, 0}, {turns.at(1), a, 1}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(std::tuple(all[i].turn, all[i].block, all[i].position), expected[i]) << i;
    const std::vector<PlacedBlock> rest = after(all[i].mark);
    EXPECT_EQ(rest.size(), 3 - i);
    EXPECT_TRUE(rest.empty() || rest.front().mark == all[i + 1].mark);
  }
  EXPECT_EQ(after(0, 3).back().block, c);
  EXPECT_EQ(after(all[1].mark, 1).front().block, c);
}

TEST_P(StoreContract, TellsWhatGrewAfterACheckpoint) {
  EXPECT_FALSE(store_->changes_since({}).value().checkpoint);
  Talk a("a"), b("b"), c("c");
  for (Talk* talk : {&a, &b, &c}) {
    talk->says("hi from " + talk->cid().str());
    commit(*talk);
  }
  const ChangesSince all = store_->changes_since({}).value();
  EXPECT_THAT(all.conversations, ElementsAre(a.cid(), b.cid(), c.cid()));
  EXPECT_EQ(all.checkpoint, c.checkpoint());
  EXPECT_THAT(store_->changes_since(all.checkpoint).value().conversations, IsEmpty());
  for (Talk* talk : {&c, &a, &c}) {
    talk->says("more of " + talk->cid().str());
    commit(*talk);
  }
  EXPECT_THAT(store_->changes_since(all.checkpoint).value().conversations,
              ElementsAre(a.cid(), c.cid()));
  EXPECT_EQ(store_->changes_since(Cid()).error().code, ErrorCode::not_found);
  EXPECT_EQ(store_->changes_since(a.cid()).error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, FillsInWhatWasOnlySpokenOfWhenItComes) {
  Talk early("early"), late("late");
  const Cid said = late.says("later");
  early.shares(said);
  commit(early);
  EXPECT_THAT(scan(*store_).dangling, ElementsAre(said));
  commit(late);
  EXPECT_THAT(scan(*store_).dangling, IsEmpty());
  EXPECT_TRUE(store_->has(said).value());
  expect_counts_to_be_true(*store_, early.cid());
  expect_counts_to_be_true(*store_, late.cid());
}

}  // namespace
}  // namespace weft::store
