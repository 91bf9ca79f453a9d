// The contract of Sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/contract_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

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
  ASSERT_TRUE(store_->writer().commit(batch));
  std::vector<Segment> pieces;
  ASSERT_TRUE(store_->sources().each_segment(Talk::key(7), 0, [&](Segment piece) {
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
  ASSERT_TRUE(store_->writer().commit(batch));
  EXPECT_THAT(store_->sources().last_segment(Talk::key(7), 0).value()->dictionary,
              ElementsAre(four));
  // What does not come with it may be gone one day, and the piece with it.
  talk.says("five");
  batch = talk.batch();
  update.source.revision = 2;
  update.segments = {{.seq = 2, .size = 1, .sealed = "x", .dictionary = {two}}};
  batch.sources = {update};
  EXPECT_EQ(store_->writer().commit(batch).error().code, ErrorCode::internal);
}

}  // namespace
}  // namespace weft::store
