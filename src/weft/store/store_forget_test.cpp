// What every store must do: forget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zstd.h>

#include <fstream>

#include "weft/store/body.hpp"
#include "weft/store/store_contract_for_test.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::store {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;
using thought::Thought;

class Forgetful : public StoreContract {
 protected:
  Thought signed_by_ada(std::string_view type, json::object content) {
    Thought thought;
    thought.type = type;
    thought.content = std::move(content);
    thought.created_by = ada_.identity.cid;
    thought.created_at = 1'800'000'000'000;
    thought.cid = cid_of(thought);
    sign(thought, ada_.key);
    return thought;
  }

  // As whoever holds ada's key prepares it.
  ForgetRequest prepared(const std::vector<Cid>& conversations) {
    Result<ForgetPlan> what = store_->plan_forget(conversations, ada_.identity.cid);
    EXPECT_TRUE(what) << what.error().message;
    ForgetRequest forget{.what = what.value_or(ForgetPlan{}), .owner = ada_.identity};
    std::vector<Cid> sorted = conversations;
    std::ranges::sort(sorted);
    forget.tombstone = signed_by_ada(
        thought::kTombstoneType,
        to_content(thought::Tombstone{sorted, forget.what.spoken_of, forget.what.thoughts}));
    for (const ForgetPlan::Orphans& orphans : forget.what.orphans) {
      forget.checkpoints.emplace_back();
      if (orphans.created_by != ada_.identity.cid) continue;
      thought::Checkpoint checkpoint = to_checkpoint(get(orphans.checkpoint)).value();
      checkpoint.previous = orphans.checkpoint;
      checkpoint.leaves = orphans.edges.size();
      checkpoint.root = thought::Tree(orphans.edges).root();
      forget.checkpoints.back() = signed_by_ada(thought::kCheckpointType, to_content(checkpoint));
    }
    for (std::size_t i = 0; i < conversations.size(); ++i) {
      forget.headings.push_back(Talk::key(1000 + i));
    }
    return forget;
  }
  ForgetResult forget(const std::vector<Cid>& conversations) {
    Result<ForgetResult> done = store_->forget(prepared(conversations));
    EXPECT_TRUE(done) << done.error().message;
    return done.value_or(ForgetResult{});
  }
  ErrorCode code_of_get(const Cid& cid) {
    const Result<Thought> thought = store_->get(cid);
    return thought ? ErrorCode::internal : thought.error().code;
  }
  thought::Connection edge(const Cid& from, std::string_view relation) {
    return store_->connections(from, relation, Direction::from).value().front();
  }
  // Every piece of structure of a conversation is signed by a tree that is there.
  void expect_well_signed(const Cid& conversation) {
    for (const Thought& thought : all_of(*store_, conversation)) {
      if (std::holds_alternative<thought::TreeSignature>(thought.signature)) {
        expect_tree_signed(thought);
      }
    }
  }
  bool files_hold(std::string_view words) {
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path())) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      if (bytes.find(words) != std::string::npos) return true;
      // Bodies that are packed, too: a byte for the dictionary, then a frame.
      const std::string magic = "\x28\xb5\x2f\xfd";
      for (auto at = bytes.find(magic, 1); at != std::string::npos;
           at = bytes.find(magic, at + 1)) {
        const std::size_t frame =
            ZSTD_findFrameCompressedSize(bytes.data() + at, bytes.size() - at);
        if (ZSTD_isError(frame)) continue;
        std::string room;
        const auto plain = unpack_text(std::string_view(bytes).substr(at - 1, frame + 1), room);
        if (plain && plain->find(words) != std::string_view::npos) return true;
      }
    }
    return false;
  }

  // A conversation that holds two blocks of another, and the edge between them.
  struct Fork {
    Talk origin, fork;
    Cid first, second;
    thought::Connection cause;
  };
  Fork fork_units(const std::string& owner = "ada") {
    Fork it{.origin = Talk("origin", owner), .fork = Talk("fork", owner)};
    it.first = it.origin.says("first");
    it.second = it.origin.says("second");
    it.origin.says("only the origin's");
    commit(it.origin);
    it.cause = edge(it.first, "causes");
    for (const Cid& cid : {it.first, it.second}) {
      it.fork.brings(get(cid));
      it.fork.shares(cid);
    }
    it.fork.brings(it.cause);
    it.fork.says("only the fork's");
    it.fork.connect("continues", it.fork.cid(), it.origin.cid());
    commit(it.fork);
    return it;
  }

  const Speaker ada_ = speaker("ada");
};

TEST_P(Forgetful, LeavesTheOwnerAlsoWhereNothingElseIsLeft) {
  Talk talk("s1");
  talk.says("gone");
  commit(talk);
  forget({talk.cid()});
  EXPECT_THAT(store_->conversations({}).value(), IsEmpty());
  EXPECT_EQ(store_->owner().value(), talk.owner());
}

TEST_P(Forgetful, TakesAwayAConversationAndAllThatNoOtherHolds) {
  Talk gone("gone"), stays("stays");
  const Cid first = gone.says("first"), second = gone.says("second");
  const Cid facts = gone.facts("its title");
  const Cid other = stays.says("other");
  commit(gone);
  commit(stays);
  const Cid turn = neighbours(gone.cid(), "contains", Direction::from).front();
  const ForgetPlan what = store_->plan_forget({gone.cid()}, ada_.identity.cid).value();
  // The conversation, two blocks, facts, a turn, three places of them and one cause.
  EXPECT_EQ(what.thoughts, 9u);
  ASSERT_EQ(what.conversations.size(), 1u);
  EXPECT_EQ(what.conversations[0].thoughts, 9u);
  EXPECT_EQ(what.conversations[0].checkpoint, gone.checkpoint());
  EXPECT_EQ(what.shared, 2u) << "the identity and the schema";
  EXPECT_THAT(what.spoken_of, IsEmpty());

  forget({gone.cid()});
  for (const Cid& cid : {gone.cid(), first, second, facts, turn}) {
    EXPECT_EQ(code_of_get(cid), ErrorCode::not_found);
  }
  EXPECT_EQ(store_->conversation(gone.cid()).error().code, ErrorCode::not_found);
  EXPECT_EQ(store_->conversations({}).value().size(), 1u);
  EXPECT_FALSE(store_->find_conversation(gone.heading()));
  EXPECT_EQ(store_->find_place(gone.cid(), Talk::key(0)), std::nullopt);
  EXPECT_THAT(store_->effects(first).value(), IsEmpty());
  EXPECT_THAT(store_->dangling().value(), ElementsAre(gone.cid()));
  EXPECT_EQ(get(other).content.at("text"), "other");
  expect_counts_to_be_true(*store_, stays.cid());
  expect_well_signed(stays.cid());
}

TEST_P(Forgetful, LeavesATombstoneThatSaysSo) {
  Talk gone("gone");
  gone.says("first");
  commit(gone);
  const ForgetRequest forget = prepared({gone.cid()});
  ASSERT_TRUE(store_->forget(forget));
  EXPECT_EQ(get(forget.tombstone.cid), forget.tombstone);
  EXPECT_THAT(store_->tombstones_of(gone.cid()).value(), ElementsAre(forget.tombstone.cid));
  EXPECT_THAT(store_->get(gone.cid()).error().message, HasSubstr("was forgotten"));
  EXPECT_THAT(store_->tombstones_of(gone.owner()).value(), IsEmpty());
  EXPECT_TRUE(store_->is_forgotten(Talk::key(1000)));
  EXPECT_FALSE(store_->is_forgotten(Talk::key(1001)));
  EXPECT_TRUE(store_->has(ada_.identity.cid)) << "who signed it stays";
}

TEST_P(Forgetful, KeepsTheLogOfCheckpointsAndAddsTheTombstone) {
  Talk gone("gone"), stays("stays");
  gone.says("first");
  commit(gone);
  stays.says("other");
  commit(stays);
  std::vector<Cid> log = store_->checkpoint_log().value();
  const ForgetRequest forget = prepared({gone.cid()});
  ASSERT_TRUE(store_->forget(forget));
  log.push_back(forget.tombstone.cid);
  EXPECT_EQ(store_->checkpoint_log().value(), log);
  EXPECT_TRUE(to_checkpoint(get(*gone.checkpoint())));
  EXPECT_THAT(store_->leaves(*gone.checkpoint()).value(), IsEmpty());
}

TEST_P(Forgetful, SignsAnewWhatAForkSharesWithTheForgotten) {
  const Fork it = fork_units();
  const ForgetRequest forget = prepared({it.origin.cid()});
  ASSERT_EQ(forget.what.orphans.size(), 1u);
  EXPECT_EQ(forget.what.orphans[0].conversation, it.fork.cid());
  EXPECT_THAT(forget.what.orphans[0].edges, ElementsAre(cid_of(it.cause)));
  ASSERT_TRUE(store_->forget(forget));

  const Thought cause = get(cid_of(it.cause));
  EXPECT_EQ(std::get<thought::TreeSignature>(cause.signature).checkpoint,
            forget.checkpoints[0]->cid);
  expect_well_signed(it.fork.cid());
  expect_counts_to_be_true(*store_, it.fork.cid());
  EXPECT_EQ(get(it.first).content.at("text"), "first");
  const auto known = store_->find_conversation(it.fork.heading());
  EXPECT_EQ(known->checkpoint, forget.checkpoints[0]->cid);
  // The edge to the origin is the fork's own word, and stays; where it led is known.
  EXPECT_THAT(neighbours(it.fork.cid(), "continues", Direction::from),
              ElementsAre(it.origin.cid()));
  EXPECT_THAT(types_of(all_of(*store_, it.fork.cid())), Contains("tombstone"));
}

TEST_P(Forgetful, TakesOnlyItsOwnWhenTheForkIsForgotten) {
  const Fork it = fork_units();
  const std::vector<Thought> before = all_of(*store_, it.origin.cid());
  forget({it.fork.cid()});
  EXPECT_EQ(all_of(*store_, it.origin.cid()), before);
  EXPECT_THAT(neighbours(it.origin.cid(), "continues", Direction::to), IsEmpty());
  EXPECT_THAT(store_->dangling().value(), ElementsAre(it.fork.cid()));
}

TEST_P(Forgetful, KeepsThePathsOfEdgesThatAreNotItsToSign) {
  const Fork it = fork_units("bob");
  const ForgetRequest forget = prepared({it.origin.cid()});
  ASSERT_EQ(forget.checkpoints.size(), 1u);
  EXPECT_FALSE(forget.checkpoints[0]);
  ASSERT_TRUE(store_->forget(forget));
  expect_well_signed(it.fork.cid());
  EXPECT_TRUE(store_->has(it.fork.owner()));
}

TEST_P(Forgetful, TakesAllOfAForkAndItsOriginTogether) {
  const Fork it = fork_units();
  forget({it.origin.cid(), it.fork.cid()});
  EXPECT_EQ(code_of_get(it.first), ErrorCode::not_found);
  EXPECT_EQ(code_of_get(cid_of(it.cause)), ErrorCode::not_found);
  EXPECT_THAT(store_->dangling().value(), UnorderedElementsAre(it.origin.cid(), it.fork.cid()));
}

TEST_P(Forgetful, NamesWhatIsGoneAndStillSpokenOf) {
  Talk gone("gone"), stays("stays");
  const Cid call = gone.says("a call");
  commit(gone);
  stays.says("spawned");
  stays.connect("spawns", call, stays.cid());
  commit(stays);
  const ForgetRequest forget = prepared({gone.cid()});
  EXPECT_THAT(forget.what.spoken_of, ElementsAre(call));
  ASSERT_TRUE(store_->forget(forget));
  EXPECT_THAT(store_->tombstones_of(call).value(), ElementsAre(forget.tombstone.cid));
  EXPECT_THAT(store_->dangling().value(), UnorderedElementsAre(gone.cid(), call));
}

TEST_P(Forgetful, RefusesWhatWasPreparedOnAnotherState) {
  Talk gone("gone"), stays("stays");
  const Cid first = gone.says("first");
  commit(gone);
  const ForgetRequest forget = prepared({gone.cid()});
  gone.says("more");
  commit(gone);
  const std::vector<Cid> log = store_->checkpoint_log().value();
  EXPECT_EQ(store_->forget(forget).error().code, ErrorCode::conflict);
  EXPECT_TRUE(store_->has(first));
  EXPECT_FALSE(store_->has(forget.tombstone.cid));
  EXPECT_EQ(store_->checkpoint_log().value(), log);
  // Somebody came to share it.
  const ForgetRequest again = prepared({gone.cid()});
  stays.brings(get(first));
  stays.shares(first);
  commit(stays);
  EXPECT_EQ(store_->forget(again).error().code, ErrorCode::conflict);
  EXPECT_EQ(store_->plan_forget({first}, ada_.identity.cid).error().code, ErrorCode::not_found);
}

TEST_P(Forgetful, DoesNotTakeItInAgain) {
  Talk gone("gone"), same("gone"), late("late");
  gone.says("first");
  commit(gone);
  const std::vector<Thought> exported = all_of(*store_, gone.cid());
  forget({gone.cid()});
  gone.says("more");
  EXPECT_EQ(store_->commit(gone.batch()).error().code, ErrorCode::conflict);
  same.says("first");
  ASSERT_EQ(same.cid(), gone.cid());
  EXPECT_EQ(store_->commit(same.batch()).error().code, ErrorCode::conflict);
  EXPECT_EQ(store_->adopt(exported).error().code, ErrorCode::invalid_input);
  // Nor does anything come that was joined to it while it was there.
  late.says("late");
  late.connect("continues", late.cid(), gone.cid());
  EXPECT_EQ(store_->commit(late.batch()).error().code, ErrorCode::conflict);
  EXPECT_EQ(store_->plan_forget({gone.cid()}, ada_.identity.cid).error().code,
            ErrorCode::not_found);
}

TEST_P(Forgetful, GivesNoIdTwiceSoThatOtherReadersAreNotMisled) {
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

TEST_P(Forgetful, DropsWhatIsKeptOfItsFiles) {
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
  const Source source = store_->find_source(Talk::key(7)).value().value();
  EXPECT_EQ(source.revision, 2u);
  EXPECT_EQ(source.archived, 0u);
  EXPECT_EQ(source.state, "");
  EXPECT_EQ(source.size, 4u) << "so that it is not read again as it is";
  EXPECT_EQ(source.modified_ns, 3);
  EXPECT_EQ(source.about, "sealed path");
  EXPECT_FALSE(store_->last_segment(Talk::key(7), 0).value());
  EXPECT_THAT(store_->conversations_in(Talk::key(7)).value(), ElementsAre(beside.cid()));
  // Whoever was at the file meanwhile reads it anew.
  beside.says("more");
  Batch late = beside.batch();
  update.source.revision = 1;
  late.sources = {update};
  EXPECT_EQ(store_->commit(late).error().code, ErrorCode::conflict);
}

TEST_P(Forgetful, KeepsNothingOfAFileThatMayNotBeKept) {
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
  EXPECT_FALSE(store_->last_segment(Talk::key(7), 0).value());
  EXPECT_TRUE(store_->scrub().value());
  EXPECT_FALSE(files_hold("sealed bytes"));
}

TEST_P(Forgetful, LeavesNothingInItsFilesOnceItIsWiped) {
  EXPECT_TRUE(store_->scrub().value()) << "nothing to do";
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
  ASSERT_TRUE(store_->scrub().value());
  EXPECT_FALSE(files_hold("unspeakable"));
  EXPECT_FALSE(files_hold("gone-session"));
  EXPECT_TRUE(files_hold("words that stay"));
  EXPECT_EQ(all_of(*reader, stays.cid()).size(), all_of(*store_, stays.cid()).size());
  expect_well_signed(stays.cid());
}

TEST_P(Forgetful, LeavesNoWordOfALabelAndMisleadsNoOtherWriter) {
  const auto other = open();
  const auto tell = [](Talk& talk) {
    const Cid first = talk.says("first");
    talk.connect("rhymes with", first, talk.says("second"), {}, "an unspeakable label");
    return talk.batch();
  };
  Talk gone("gone"), next("next"), mine("mine");
  ASSERT_TRUE(other->commit(tell(gone)));  // it remembers the label now
  mine.says("mine");
  commit(mine);
  forget({gone.cid()});
  EXPECT_TRUE(store_->scrub().value());
  EXPECT_FALSE(files_hold("unspeakable"));
  EXPECT_FALSE(files_hold("rhymes"));
  ASSERT_TRUE(other->commit(tell(next)));
  for (const Thought& thought : all_of(*store_, next.cid()))
    EXPECT_EQ(cid_of(thought), thought.cid);
}

TEST_P(Forgetful, DoesNotDisturbWhoReadsWhileItIsWiped) {
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
  EXPECT_TRUE(store_->scrub().value());
  EXPECT_FALSE(files_hold("unspeakable"));
}

TEST_P(Forgetful, TakesTombstonesOfOthersInWithoutObeyingThem) {
  Talk mine("mine");
  mine.says("first");
  thought::Thought foreign = signed_by_ada(
      thought::kTombstoneType, to_content(thought::Tombstone{.conversations = {mine.cid()}}));
  ASSERT_TRUE(store_->adopt({ada_.identity, foreign}));
  EXPECT_THAT(store_->tombstones_of(mine.cid()).value(), ElementsAre(foreign.cid));
  commit(mine);
  EXPECT_TRUE(store_->has(mine.cid()));
}

INSTANTIATE_TEST_SUITE_P(EveryBackend, Forgetful, testing::ValuesIn(every_backend()), backend_name);

}  // namespace
}  // namespace weft::store
