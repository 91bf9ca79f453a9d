// Sessions that `weft resume` wrote: their copied blocks are the thoughts that they were copied
// from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/thought/resumption.hpp"
#include "weft/weave/block_copies.hpp"
#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

using testing::ElementsAre;
using transcript::Author;
using transcript::Block;

Block copy_of(Author author, transcript::Body body, std::uint32_t index) {
  return {.author = author,
          .body = std::move(body),
          .source_id = "copied",
          .index = index,
          .start = 90'000 + index};
}

class WeaveCopies : public testing::Test {
 protected:
  void SetUp() override {
    asked_ = loom_.human("why?");
    loom_.thinks("hm");
    answered_ = loom_.says("so.");
    origin_ = loom_.of_type("anthropic/conversation").front();
    question_ = copy_of(Author::human, transcript::Text{"why?", {}}, 0);
    answer_ = copy_of(Author::model, transcript::Text{"so.", {}}, 1);
  }
  // As `weft resume` does, by whoever's key.
  void note(const PlaceKey& mark, const Cid& creator) {
    thought::Thought resumption;
    resumption.type = thought::kResumptionType;
    resumption.created_by = creator;
    resumption.content =
        to_content(thought::Resumption{.conversation = origin_,
                                       .format = "anthropic-transcript",
                                       .session_id = "s2",
                                       .copies = {{copy_key(loom_.keyring, question_), asked_},
                                                  {copy_key(loom_.keyring, answer_), answered_}}});
    resumption.cid = cid_of(resumption);
    loom_.known_web.thoughts.emplace(resumption.cid, resumption);
    loom_.known_web.marks.emplace(mark, Mark{.key = mark, .call = resumption.cid});
  }
  PlaceKey session() const {
    return resumed_session_key(loom_.keyring, "anthropic-transcript", "s2");
  }
  std::size_t places(const Cid& cid) const { return loom_.holding(cid).size(); }

  Loom loom_;
  Cid asked_, answered_, origin_;
  Block question_, answer_;
};

TEST_F(WeaveCopies, StandInASecondPlaceAndContinueTheOrigin) {
  note(session(), loom_.identities.owner().cid);
  loom_.heading({.session_id = "s2"});
  loom_.emit(question_);
  loom_.emit(answer_);
  const Cid next = loom_.human("and then?");
  EXPECT_EQ(places(asked_), 2u);
  EXPECT_EQ(places(answered_), 2u);
  EXPECT_THAT(loom_.because(next), ElementsAre(answered_));
  const auto continued = loom_.edges("continues");
  ASSERT_EQ(continued.size(), 1u);
  EXPECT_EQ(std::get<1>(*continued.begin()), origin_);
}

TEST_F(WeaveCopies, AreKnownAfterTheWeaverWasSavedBetweenThem) {
  note(session(), loom_.identities.owner().cid);
  loom_.heading({.session_id = "s2"});
  loom_.emit(question_);
  loom_.resume();
  loom_.emit(answer_);
  EXPECT_EQ(places(answered_), 2u);
}

TEST_F(WeaveCopies, AreKnownByTheirRecordWhereTheSessionHasAnotherId) {
  note(resumed_record_key(loom_.keyring, "anthropic-transcript", "copied"),
       loom_.identities.owner().cid);
  loom_.heading({.session_id = "imported"});
  loom_.program("Imported a session.");
  loom_.emit(question_);
  EXPECT_EQ(places(asked_), 2u);
}

TEST_F(WeaveCopies, OtherContentInTheirPlaceIsNone) {
  note(session(), loom_.identities.owner().cid);
  loom_.heading({.session_id = "s2"});
  loom_.emit(copy_of(Author::human, transcript::Text{"why not?", {}}, 0));
  EXPECT_EQ(places(asked_), 1u);
}

TEST_F(WeaveCopies, TheSameContentInAnotherPlaceIsNone) {
  note(session(), loom_.identities.owner().cid);
  loom_.heading({.session_id = "s2"});
  loom_.emit(copy_of(Author::human, transcript::Text{"why?", {}}, 7));
  EXPECT_EQ(places(asked_), 1u);
}

TEST_F(WeaveCopies, SomebodyElsesWordIsNone) {
  note(session(), asked_);
  loom_.heading({.session_id = "s2"});
  loom_.emit(question_);
  EXPECT_EQ(places(asked_), 1u);
  EXPECT_TRUE(loom_.edges("continues").empty());
}

}  // namespace
}  // namespace weft::weave
