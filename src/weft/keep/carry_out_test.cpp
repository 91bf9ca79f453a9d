#include "weft/keep/carry_out.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weft/base/posix.hpp"
#include "weft/ingest/import.hpp"
#include "weft/remote/thoughts_out.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/talk_for_test.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::keep {
namespace {

using State = CarriedOut::State;
using store::Talk;
using testing::ElementsAre;
using thought::Thought;

class CarryOut : public testing::Test {
 protected:
  // Pushes a tombstone, as somebody who may only add.
  void push(const Thought& tombstone, const Thought& identity) {
    auto file = remote::open_nameless_file(scratch.path());
    ASSERT_TRUE(file);
    remote::ThoughtsOut out(file->get());
    out.add(identity);
    out.add(tombstone);
    ASSERT_TRUE(out.finish());
    const auto lines = remote::to_thoughts_file(*file);
    ASSERT_TRUE(lines);
    const auto report =
        ingest::import_thoughts(*web, nullptr, *lines, false, ingest::Rest::is_refused);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->refused_count, 0u);
  }
  // What somebody signs over these conversations.
  static Thought sign(const store::Speaker& signer, std::vector<Cid> listed,
                      std::vector<Cid> forgotten = {}) {
    std::ranges::sort(listed);
    Thought tombstone;
    tombstone.type = thought::kTombstoneType;
    tombstone.content = to_content(thought::Tombstone{std::move(listed), std::move(forgotten), 1});
    tombstone.created_by = signer.identity.cid;
    tombstone.created_at = 77;
    tombstone.cid = cid_of(tombstone);
    store::sign(tombstone, signer.key);
    return tombstone;
  }
  CarriedOut carry(const Cid& tombstone) {
    auto out = carry_out(*web, tombstone);
    EXPECT_TRUE(out) << out.error().message;
    return out.value_or(CarriedOut{});
  }
  bool is_there(const Cid& cid) const { return web->has(cid).value(); }

  const store::Speaker ada = store::speaker("ada");  // who creates a Talk
  store::Scratch scratch;
  std::unique_ptr<store::Store> web =
      store::open_store("sqlite:" + (scratch.path() / "weft.db").string(), store::Create::yes)
          .value();
};

TEST_F(CarryOut, RemovesWhatTheCreatorForgot) {
  Talk gone("gone"), stays("stays");
  const Cid first = gone.says("first");
  stays.says("other");
  ASSERT_TRUE(web->writer().commit(gone.batch()));
  ASSERT_TRUE(web->writer().commit(stays.batch()));
  const auto plan = web->forgetting().plan({gone.cid()}, ada.identity.cid).value();
  const Thought tombstone = sign(ada, {gone.cid()}, plan.spoken_of);
  push(tombstone, ada.identity);
  EXPECT_TRUE(is_there(first)) << "a tombstone alone removes nothing";
  const CarriedOut done = carry(tombstone.cid);
  EXPECT_EQ(done.state, State::done) << done.why;
  EXPECT_THAT(done.conversations, ElementsAre(gone.cid()));
  EXPECT_FALSE(is_there(first));
  EXPECT_FALSE(is_there(gone.cid()));
  EXPECT_TRUE(is_there(stays.cid()));
  EXPECT_THAT(web->forgetting().tombstones().value(), ElementsAre(tombstone.cid));
  EXPECT_EQ(carry(tombstone.cid).state, State::nothing) << "again";
}

TEST_F(CarryOut, WaitsIfOthersReferToWhatTheTombstoneDoesNotName) {
  Talk gone("gone"), stays("stays");
  const Cid first = gone.says("first");
  ASSERT_TRUE(web->writer().commit(gone.batch()));
  stays.connect("causes", first, stays.says("because of the first"));
  ASSERT_TRUE(web->writer().commit(stays.batch()));
  const Thought tombstone = sign(ada, {gone.cid()});
  push(tombstone, ada.identity);
  const CarriedOut waits = carry(tombstone.cid);
  EXPECT_EQ(waits.state, State::waiting);
  EXPECT_TRUE(is_there(first));
  const auto plan = web->forgetting().plan({gone.cid()}, ada.identity.cid).value();
  ASSERT_THAT(plan.spoken_of, testing::Not(testing::IsEmpty()));
  const Thought another = sign(ada, {gone.cid()}, plan.spoken_of);
  push(another, ada.identity);
  EXPECT_EQ(carry(another.cid).state, State::done);
  EXPECT_FALSE(is_there(first));
}

TEST_F(CarryOut, LeavesWhatSomebodyElseSaysWasForgotten) {
  Talk talk("talk");
  talk.says("first");
  ASSERT_TRUE(web->writer().commit(talk.batch()));
  const store::Speaker eve = store::speaker("eve");
  const Thought tombstone = sign(eve, {talk.cid()});
  push(tombstone, eve.identity);
  EXPECT_EQ(carry(tombstone.cid).state, State::nothing);
  EXPECT_TRUE(is_there(talk.cid()));
}

TEST_F(CarryOut, WaitsForATombstoneThatIsYoungerThanTheConversation) {
  Talk talk("talk");
  talk.says("first");
  const Thought tombstone = sign(ada, {talk.cid()});
  push(tombstone, ada.identity);
  ASSERT_TRUE(web->writer().commit(talk.batch()));
  const CarriedOut waits = carry(tombstone.cid);
  EXPECT_EQ(waits.state, State::waiting);
  EXPECT_THAT(waits.why, testing::HasSubstr("sign another"));
  EXPECT_TRUE(is_there(talk.cid()));
}

TEST_F(CarryOut, KnowsNothingOfATombstoneThatIsNotThere) {
  EXPECT_EQ(carry(Cid(Digest{7})).state, State::nothing);
}

}  // namespace
}  // namespace weft::keep
