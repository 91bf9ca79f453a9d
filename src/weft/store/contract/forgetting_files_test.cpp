// What every store must do: leave nothing of what was forgotten in its files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/forgetful_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using thought::Thought;

class ForgetfulFiles : public Forgetful {};

TEST_P(ForgetfulFiles, GivesNoIdTwiceSoThatOtherReadersAreNotMisled) {
  const auto other = open();  // remembers names by their ids
  Talk stays("stays"), gone("gone"), next("next");
  stays.says("stays");
  commit(stays);
  const Cid first = gone.says("first");
  commit(gone);
  EXPECT_TRUE(other->get(first));
  EXPECT_FALSE(all_of(*other, gone.cid()).empty());
  forget({gone.cid()});
  for (const char* words : {"one", "two", "three", "four", "five"}) next.says(words);
  commit(next);
  for (const Thought& thought : all_of(*other, next.cid())) EXPECT_EQ(cid_of(thought), thought.cid);
  expect_counts_to_be_true(*other, next.cid());
}

TEST_P(ForgetfulFiles, DropsWhatIsKeptOfItsFiles) {
  Talk gone("gone"), beside("beside");
  gone.says("first");
  beside.says("other");
  Batch batch = gone.batch();
  batch.units.push_back(beside.take());
  SourceUpdate update{.source = {.key = Talk::key(7),
                                 .format = "test",
                                 .about = "sealed path",
                                 .device = 1,
                                 .inode = 2,
                                 .modified_ns = 3,
                                 .size = 4,
                                 .offset = 4,
                                 .lines = 1,
                                 .archived = 4,
                                 .state = "sealed state"},
                      .segments = {{.seq = 0, .size = 4, .sealed = "sealed bytes"}},
                      .conversations = {gone.cid(), beside.cid()}};
  batch.sources = {update};
  commit(batch);
  EXPECT_EQ(forget({gone.cid()}).archives, 1u);
  const Source source = store_->sources().find(Talk::key(7)).value().value();
  EXPECT_EQ(source.revision, 2u);
  EXPECT_EQ(source.archived, 0u);
  EXPECT_EQ(source.state, "");
  EXPECT_EQ(source.size, 4u) << "so that it is not read again as it is";
  EXPECT_EQ(source.modified_ns, 3);
  EXPECT_EQ(source.about, "sealed path");
  EXPECT_FALSE(store_->sources().last_segment(Talk::key(7), 0).value());
  EXPECT_THAT(store_->sources().conversations_in(Talk::key(7)).value(), ElementsAre(beside.cid()));
  // Whoever was at the file meanwhile reads it anew.
  beside.says("more");
  Batch late = beside.batch();
  update.source.revision = 1;
  late.sources = {update};
  EXPECT_EQ(store_->writer().commit(late).error().code, ErrorCode::conflict);
}

TEST_P(ForgetfulFiles, KeepsNothingOfAFileThatMayNotBeKept) {
  Talk talk("talk");
  talk.says("first");
  Batch batch = talk.batch();
  SourceUpdate update{.source = {.key = Talk::key(7), .format = "test", .size = 4, .archived = 4},
                      .segments = {{.seq = 0, .size = 4, .sealed = "sealed bytes"}},
                      .conversations = {talk.cid()}};
  batch.sources = {update};
  commit(batch);
  update.source.revision = 1;
  update.source.archived = 0;
  update.segments.clear();
  update.keeps_nothing = true;
  Batch next;
  next.sources = {update};
  commit(next);
  EXPECT_FALSE(store_->sources().last_segment(Talk::key(7), 0).value());
  EXPECT_TRUE(store_->forgetting().scrub().value());
  EXPECT_FALSE(files_hold("sealed bytes"));
}

// On stores that are files. What a server keeps in its own, its log above all, is not looked into.
class FilesOfForgetful : public ForgetfulFiles {};

TEST_P(FilesOfForgetful, LeavesNothingInItsFilesOnceItIsWiped) {
  EXPECT_TRUE(store_->forgetting().scrub().value()) << "nothing to do";
  Talk gone("gone-session"), stays("stays");
  for (int i = 0; i < 300; ++i) {
    gone.says("unspeakable words " + std::to_string(i));
    stays.says("words that stay " + std::to_string(i));
    if (i % 40 == 0) commit(gone), commit(stays);
  }
  gone.facts("unspeakable title");
  commit(gone);
  commit(stays);
  ASSERT_TRUE(files_hold("unspeakable"));
  ASSERT_TRUE(files_hold("gone-session"));
  forget({gone.cid()});
  const auto reader = open();
  ASSERT_TRUE(store_->forgetting().scrub().value());
  EXPECT_FALSE(files_hold("unspeakable"));
  EXPECT_FALSE(files_hold("gone-session"));
  EXPECT_TRUE(files_hold("words that stay"));
  EXPECT_EQ(all_of(*reader, stays.cid()).size(), all_of(*store_, stays.cid()).size());
  expect_well_signed(stays.cid());
}

TEST_P(ForgetfulFiles, LeavesNoWordOfALabelAndMisleadsNoOtherWriter) {
  const auto other = open();
  const auto tell = [](Talk& talk) {
    const Cid first = talk.says("first");
    talk.connect("rhymes with", first, talk.says("second"), {}, "an unspeakable label");
    return talk.batch();
  };
  Talk gone("gone"), next("next"), mine("mine");
  ASSERT_TRUE(other->writer().commit(tell(gone)));  // it remembers the label now
  mine.says("mine");
  commit(mine);
  forget({gone.cid()});
  EXPECT_TRUE(store_->forgetting().scrub().value());
  EXPECT_FALSE(files_hold("unspeakable"));
  EXPECT_FALSE(files_hold("rhymes"));
  ASSERT_TRUE(other->writer().commit(tell(next)));
  for (const Thought& thought : all_of(*store_, next.cid()))
    EXPECT_EQ(cid_of(thought), thought.cid);
}

TEST_P(ForgetfulFiles, DoesNotDisturbWhoReadsWhileItIsWiped) {
  Talk gone("gone"), stays("stays");
  gone.says("unspeakable");
  commit(gone);
  for (int i = 0; i < 100; ++i) stays.says("words " + std::to_string(i));
  commit(stays);
  const auto reader = open();
  std::size_t seen = 0;
  bool forgot = false;
  const Status status = reader->each_of(stays.cid(), [&](const Thought&) {
    if (seen++ == 50) {
      forget({gone.cid()});
      forgot = true;
    }
    return true;
  });
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_TRUE(forgot);
  EXPECT_EQ(seen, all_of(*store_, stays.cid()).size());
  EXPECT_TRUE(store_->forgetting().scrub().value());
  EXPECT_FALSE(files_hold("unspeakable"));
}

TEST_P(ForgetfulFiles, TakesTombstonesOfOthersInWithoutObeyingThem) {
  Talk mine("mine");
  mine.says("first");
  thought::Thought foreign = signed_by_ada(
      thought::kTombstoneType, to_content(thought::Tombstone{.conversations = {mine.cid()}}));
  ASSERT_TRUE(store_->writer().import({ada_.identity, foreign}, {}));
  EXPECT_THAT(store_->forgetting().tombstones_of(mine.cid()).value(), ElementsAre(foreign.cid));
  commit(mine);
  EXPECT_TRUE(store_->has(mine.cid()).value());
}

INSTANTIATE_TEST_SUITE_P(Files, FilesOfForgetful, testing::Values(every_backend().front()),
                         backend_name);
INSTANTIATE_TEST_SUITE_P(EveryBackend, ForgetfulFiles, testing::ValuesIn(every_backend()),
                         backend_name);

}  // namespace
}  // namespace weft::store
