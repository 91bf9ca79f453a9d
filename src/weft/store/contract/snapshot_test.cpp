// The contract of Snapshot: one answer, one state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/searching_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class SnapshotContract : public Searching {
 protected:
  // Commits a conversation of one answer, and returns the answer.
  Cid commit_answer(const std::string& session, const std::string& text) {
    Talk talk(session);
    const Cid cid = talk.stands(says(text));
    commit_indexed(talk);
    return cid;
  }
  std::vector<Cid> found_in(const Web& web, const std::string& text) {
    std::vector<Cid> cids;
    const auto answer = web.search({.query = search::parse_query(text), .keyring = &keyring_});
    EXPECT_TRUE(answer) << answer.error().message;
    for (const Found& found : answer.value_or(SearchAnswer{}).found) cids.push_back(found.cid);
    return cids;
  }
};

TEST_P(SnapshotContract, AnswersEveryQuestionFromTheStateOfTheFirst) {
  const Cid first = commit_answer("one", "a red heron");
  const auto snapshot = store_->snapshot();
  EXPECT_THAT(snapshot->conversations({}).value(), SizeIs(1));
  const Cid second = commit_answer("two", "a grey heron");
  EXPECT_FALSE(snapshot->has(second).value());
  EXPECT_THAT(snapshot->conversations({}).value(), SizeIs(1));
  EXPECT_EQ(snapshot->get(second).error().code, ErrorCode::not_found);
  EXPECT_TRUE(snapshot->places_of(second).value().empty());
  EXPECT_THAT(snapshot->changes_since({}).value().conversations, SizeIs(1));
  EXPECT_TRUE(store_->has(second).value());
  EXPECT_THAT(store_->conversations({}).value(), SizeIs(2));
  EXPECT_TRUE(snapshot->has(first).value());
}

// Readers share the documents of the newest state that any of them has read.
TEST_P(SnapshotContract, SearchesItsOwnStateEvenIfOthersReadALaterOne) {
  const Cid first = commit_answer("one", "a red heron");
  const auto snapshot = store_->snapshot();
  EXPECT_THAT(found_in(*snapshot, "heron"), ElementsAre(first));
  const Cid second = commit_answer("two", "a grey heron");
  EXPECT_THAT(found_in(*store_, "heron"), UnorderedElementsAre(first, second));
  EXPECT_THAT(found_in(*snapshot, "heron"), ElementsAre(first));
  EXPECT_THAT(found_in(*snapshot, "grey"), testing::IsEmpty());
  EXPECT_THAT(found_in(*store_, "grey"), ElementsAre(second));
}

TEST_P(SnapshotContract, IsOfTheNewestStateUntilSomethingWasRead) {
  const Cid first = commit_answer("one", "a red heron");
  const auto snapshot = store_->snapshot();
  const Cid second = commit_answer("two", "a grey heron");
  EXPECT_THAT(found_in(*store_, "heron"), UnorderedElementsAre(first, second));
  EXPECT_THAT(found_in(*snapshot, "heron"), UnorderedElementsAre(first, second));
}

TEST_P(SnapshotContract, RefusesQuestionsWhileItVisitsAConversation) {
  const Cid cid = commit_answer("one", "a red heron");
  const auto snapshot = store_->snapshot();
  const Cid conversation = snapshot->conversations({}).value().front().cid;
  std::size_t visited = 0;
  ASSERT_TRUE(snapshot->each_of(conversation, [&](const thought::Thought&) {
    ++visited;
    EXPECT_EQ(snapshot->has(cid).error().code, ErrorCode::internal);
    EXPECT_TRUE(store_->has(cid).value()) << "the store answers meanwhile";
    return visited < 2;
  }));
  EXPECT_EQ(visited, 2u);
  EXPECT_TRUE(snapshot->has(cid).value());
}

TEST_P(SnapshotContract, LetsOthersWrite) {
  const auto snapshot = store_->snapshot();
  EXPECT_THAT(snapshot->conversations({}).value(), SizeIs(0));
  commit_answer("one", "a red heron");
  EXPECT_THAT(open()->conversations({}).value(), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(EveryBackend, SnapshotContract, testing::ValuesIn(every_backend()),
                         backend_name);

}  // namespace
}  // namespace weft::store
