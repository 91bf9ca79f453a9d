// Thoughts that were sealed after they were woven: they are not woven in the clear again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

class WeaveSealed : public testing::Test {
 protected:
  void SetUp() override {
    asked_ = loom_.human("the token is quagga");
    answered_ = loom_.says("so.");
  }
  // As `weft seal` does.
  Cid seal(const Cid& clear) {
    MapKnownWeb& web = loom_.known_web;
    thought::Thought sealed = web.thoughts.at(clear);
    thought::seal_whole(sealed, loom_.keyring);
    sealed.cid = cid_of(sealed);
    web.thoughts.erase(clear);
    std::ranges::replace(web.order, clear, sealed.cid);
    for (auto& [place, thought] : web.places) {
      if (thought == clear) thought = sealed.cid;
    }
    web.sealed[clear] = sealed.cid;
    web.thoughts.emplace(sealed.cid, sealed);
    return sealed.cid;
  }
  bool stands(const Cid& cid) const { return loom_.known_web.thoughts.contains(cid); }

  Loom loom_;
  Cid asked_, answered_;
};

TEST_F(WeaveSealed, StandInAForkWhichSharesWhatRestsOnThem) {
  const Cid sealed = seal(asked_);
  loom_.restart();
  loom_.heading({.session_id = "s2"});
  loom_.human("the token is quagga");
  EXPECT_EQ(loom_.weaver->last_block(), sealed);
  loom_.says("so.");
  EXPECT_EQ(loom_.weaver->last_block(), answered_) << "its because names what was said";
  EXPECT_FALSE(stands(asked_));
}

TEST_F(WeaveSealed, AreFoundAgainWhenTheirSourceIsReadAgain) {
  const Cid sealed = seal(asked_);
  loom_.restart();
  loom_.human("the token is quagga");
  EXPECT_EQ(loom_.weaver->last_block(), sealed);
  loom_.says("so.");
  EXPECT_EQ(loom_.weaver->last_block(), answered_);
  EXPECT_FALSE(stands(asked_));
}

TEST_F(WeaveSealed, AreSupersededBySealedThoughtsAlone) {
  seal(asked_);
  loom_.restart();
  const Cid newer = loom_.human("the token is quagga!");
  EXPECT_TRUE(is_sealed_whole(loom_.known_web.thoughts.at(newer)));
}

TEST_F(WeaveSealed, DoNotSealWhatTakesThePlaceOfABlockThatWasUnknown) {
  loom_.emit(transcript::Author::model, transcript::Unknown{"new_kind", json::object{{"x", 1}}});
  loom_.restart();
  loom_.human("the token is quagga");
  loom_.says("so.");
  const Cid known = loom_.says("it is known now");
  EXPECT_FALSE(is_sealed_whole(loom_.known_web.thoughts.at(known)));
}

}  // namespace
}  // namespace weft::weave
