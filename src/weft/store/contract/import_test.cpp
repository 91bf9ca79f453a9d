// What every store must do: thoughts of another store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/store/contract/contract_for_test.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::store {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using thought::Thought;

class Import : public StoreContract {
 protected:
  Committed adopt(Store& store, const std::vector<Thought>& thoughts) {
    Result<Committed> done = store.writer().import(thoughts, {});
    EXPECT_TRUE(done) << done.error().message;
    return done.value_or(Committed{});
  }
  std::unique_ptr<Store> open_other() { return GetParam().open(other_.path()).value(); }
  Scratch other_;
};

TEST_P(Import, HoldsWhatAnotherStoreHeld) {
  Talk talk("s1");
  for (int i = 0; i < 4; ++i) {
    talk.says("a" + std::to_string(i));
    talk.thinks("b");
    talk.facts("title " + std::to_string(i));
    commit(talk);
  }
  const std::vector<Thought> exported = all_of(*store_, talk.cid());
  const std::unique_ptr<Store> other = open_other();
  const Committed done = adopt(*other, exported);
  EXPECT_EQ(done.new_thoughts, row(talk.cid()).thought_count);
  EXPECT_EQ(all_of(*other, talk.cid()), exported);
  expect_counts_to_be_true(*other, talk.cid());
  const ConversationRow mine = row(talk.cid()), theirs = other->conversation(talk.cid()).value();
  EXPECT_EQ(theirs.session_id, mine.session_id);
  EXPECT_EQ(theirs.facts, mine.facts);
  EXPECT_EQ(theirs.turn_count, mine.turn_count);
  EXPECT_EQ(other->known_web().find_conversation(talk.heading(), talk.owner()).value()->checkpoint,
            talk.checkpoint());
  EXPECT_EQ(other->audit().checkpoint_log().value(), store_->audit().checkpoint_log().value());
  EXPECT_EQ(other->audit().leaves(*talk.checkpoint()).value(),
            store_->audit().leaves(*talk.checkpoint()).value());
  EXPECT_THAT(scan(*other).dangling, IsEmpty());
}

TEST_P(Import, MakesNobodyTheOwner) {
  EXPECT_EQ(store_->owner().value(), std::nullopt);
  Talk mine("s1");
  mine.says("mine");
  commit(mine);
  EXPECT_EQ(store_->owner().value(), mine.owner());

  const std::unique_ptr<Store> other = open_other();
  adopt(*other, all_of(*store_, mine.cid()));
  EXPECT_EQ(other->owner().value(), std::nullopt);
  Talk theirs("s2", "bob");
  theirs.says("theirs");
  ASSERT_TRUE(other->writer().commit(theirs.batch()));
  EXPECT_EQ(other->owner().value(), theirs.owner());
}

TEST_P(Import, TakesThoughtsInAnyOrder) {
  Talk talk("s1");
  for (int i = 0; i < 3; ++i) {
    talk.says(std::to_string(i));
    commit(talk);
  }
  std::vector<Thought> exported = all_of(*store_, talk.cid());
  std::ranges::reverse(exported);
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, exported);
  expect_counts_to_be_true(*other, talk.cid());
  EXPECT_EQ(other->audit().checkpoint_log().value(), store_->audit().checkpoint_log().value());
  EXPECT_EQ(other->known_web().find_conversation(talk.heading(), talk.owner()).value()->checkpoint,
            talk.checkpoint());
  for (const Thought& thought : exported) {
    EXPECT_EQ(other->get(thought.cid).value(), without_covers(thought));
  }
}

TEST_P(Import, AddsNothingTheSecondTime) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  const std::vector<Thought> exported = all_of(*store_, talk.cid());
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, exported);
  EXPECT_EQ(adopt(*other, exported).new_thoughts, 0u);
  EXPECT_EQ(adopt(*store_, exported).new_thoughts, 0u);
  EXPECT_EQ(all_of(*other, talk.cid()), exported);
  EXPECT_THAT(other->audit().checkpoint_log().value(), SizeIs(1));
  expect_counts_to_be_true(*other, talk.cid());
  expect_counts_to_be_true(*store_, talk.cid());
}

TEST_P(Import, KeepsPathsWhereNotAllOfATreeCame) {
  Talk talk("s1");
  for (int i = 0; i < 6; ++i) talk.says(std::to_string(i));
  commit(talk);
  std::vector<Thought> exported = all_of(*store_, talk.cid());
  std::erase_if(exported, [](const Thought& thought) {
    return thought.type == "connection" && thought::to_connection(thought)->relation == "causes";
  });
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, exported);
  EXPECT_THAT(other->audit().leaves(*talk.checkpoint()).value(), IsEmpty());
  for (const Thought& thought : exported) {
    EXPECT_EQ(other->get(thought.cid).value(), without_covers(thought));
  }
  // Of a tree that is not whole only the structure is proven, by its own paths.
  for (Thought& thought : exported) thought = without_covers(std::move(thought));
  EXPECT_EQ(all_of(*other, talk.cid()), exported);
  expect_counts_to_be_true(*other, talk.cid());
}

TEST_P(Import, KeepsATreeWholeThatCameInPartBefore) {
  Talk talk("s1");
  talk.says("a");
  talk.facts("title");
  commit(talk);
  const std::vector<Thought> exported = all_of(*store_, talk.cid());
  std::vector<Thought> part = exported;
  std::erase_if(part, [](const Thought& t) { return t.type == "test/conversation_facts"; });
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, part);
  EXPECT_THAT(other->audit().leaves(*talk.checkpoint()).value(), IsEmpty());
  adopt(*other, exported);
  EXPECT_EQ(other->audit().leaves(*talk.checkpoint()).value(),
            store_->audit().leaves(*talk.checkpoint()).value());
  EXPECT_EQ(all_of(*other, talk.cid()).size(), exported.size());
}

TEST_P(Import, HoldsWhatEachCheckpointCoversInItsOwnConversation) {
  Talk a("a"), b("b");
  a.says("x");
  const Cid facts = a.facts("of a");
  b.says("y");
  Thought citation;
  citation.type = "test/citation";
  citation.content = {{"url", "u"}};
  citation.created_by = b.owner();
  citation.cid = cid_of(citation);
  sign(citation, speaker("ada").key);
  b.brings(citation);  // nothing refers to it
  commit(a);
  commit(b);
  std::vector<Thought> both;
  ASSERT_TRUE(store_->each_of(std::vector{a.cid(), b.cid()}, [&](Thought thought) {
    both.push_back(std::move(thought));
    return true;
  }));
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, both);
  for (Talk* talk : {&a, &b}) {
    EXPECT_EQ(all_of(*other, talk->cid()), all_of(*store_, talk->cid()));
    EXPECT_EQ(other->audit().leaves(*talk->checkpoint()).value(),
              store_->audit().leaves(*talk->checkpoint()).value());
  }
  EXPECT_EQ(other->conversation(a.cid())->facts, facts);
}

TEST_P(Import, KeepsTheEmptyPathOfATreeOfOne) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  const Cid edge = talk.connect("spawns", talk.cid(), talk.cid());
  commit(talk);
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, {get(edge)});
  EXPECT_EQ(other->get(edge).value(), get(edge));
}

TEST_P(Import, TellsSeveralConversationsApart) {
  Talk a("a"), b("b");
  a.says("x");
  b.says("y");
  commit(a);
  commit(b);
  std::vector<Thought> both = all_of(*store_, a.cid());
  for (Thought& thought : all_of(*store_, b.cid())) both.push_back(std::move(thought));
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, both);
  for (const Cid& cid : {a.cid(), b.cid()}) {
    expect_counts_to_be_true(*other, cid);
    EXPECT_EQ(other->conversation(cid)->block_count, 1u);
    EXPECT_EQ(other->conversation(cid)->turn_count, 1u);
  }
  EXPECT_THAT(other->conversations({}).value(), SizeIs(2));
}

TEST_P(Import, GoesOnWithALongerCopyOfWhatItHas) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  const std::unique_ptr<Store> other = open_other();
  adopt(*other, all_of(*store_, talk.cid()));
  talk.says("b");
  talk.facts("newer");
  commit(talk);
  adopt(*other, all_of(*store_, talk.cid()));
  EXPECT_EQ(other->known_web().find_conversation(talk.heading(), talk.owner()).value()->checkpoint,
            talk.checkpoint());
  EXPECT_EQ(other->conversation(talk.cid())->facts, row(talk.cid()).facts);
  EXPECT_EQ(all_of(*other, talk.cid()), all_of(*store_, talk.cid()));
  talk.says("c");
  EXPECT_TRUE(other->writer().commit(talk.batch())) << "and can be woven on";
  expect_counts_to_be_true(*other, talk.cid());
}

TEST_P(Import, Security13FactsOfAClockThatWasAheadDoNotWinOverLaterOnes) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  constexpr Millis kYear = 365LL * 24 * 3600 * 1000;
  talk.wait(kYear);
  talk.says("b");
  talk.facts("of a clock that was ahead");
  commit(talk);
  const std::unique_ptr<Store> early = open_other();
  adopt(*early, all_of(*store_, talk.cid()));
  talk.wait(-kYear);
  talk.says("c");
  const Cid newest = talk.facts("of the clock that was set right");
  commit(talk);
  ASSERT_EQ(row(talk.cid()).facts, newest);
  // Where the older ones came before, and where all come at once.
  adopt(*early, all_of(*store_, talk.cid()));
  EXPECT_EQ(early->conversation(talk.cid())->facts, newest);
  const Scratch elsewhere;
  const std::unique_ptr<Store> late = GetParam().open(elsewhere.path()).value();
  adopt(*late, all_of(*store_, talk.cid()));
  EXPECT_EQ(late->conversation(talk.cid())->facts, newest);
}

TEST_P(Import, StoresWhatBelongsToNoConversation) {
  const Speaker someone = speaker("someone");
  adopt(*store_, {someone.identity});
  EXPECT_EQ(store_->get(someone.identity.cid).value(), someone.identity);
  EXPECT_THAT(store_->conversations({}).value(), IsEmpty());
}

TEST_P(Import, PrefersItsOwnConversationOverAStrangersOfTheSameName) {
  Talk mine("s1", "ada"), theirs("s1", "eve");
  mine.says("a");
  commit(mine);
  const std::unique_ptr<Store> other = open_other();
  theirs.says("b");
  EXPECT_TRUE(other->writer().commit(theirs.batch()));
  adopt(*store_, all_of(*other, theirs.cid()));
  EXPECT_THAT(store_->conversations({}).value(), SizeIs(2));
  EXPECT_EQ(store_->known_web().find_conversation(mine.heading(), mine.owner()).value()->cid,
            mine.cid());
}

TEST_P(Import, RefusesAConnectionThatSaysMoreThanOneCan) {
  Talk talk("s1");
  talk.says("a");
  commit(talk);
  Thought edge = get(store_->audit().leaves(*talk.checkpoint())->back());
  edge.content["more"] = true;
  const std::unique_ptr<Store> other = open_other();
  EXPECT_EQ(other->writer().import({edge}, {}).error().code, ErrorCode::invalid_input);
  EXPECT_FALSE(other->has(edge.cid).value());
}

INSTANTIATE_TEST_SUITE_P(Every, Import, testing::ValuesIn(every_backend()), backend_name);

}  // namespace
}  // namespace weft::store
