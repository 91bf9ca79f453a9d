// A conversation that came from another machine has no keys of places: what is there is found by
// what it is, and only what is new is added.
#include <gtest/gtest.h>

#include "weft/weave/loom_for_test.hpp"

namespace weft::weave {
namespace {

void talk(Loom& loom) {
  loom.human("why?");
  loom.thinks("hm");
  loom.calls("a");
  loom.prints("a", "one");
  loom.says("so");
  loom.human("and?");
  loom.says("that");
}

TEST(WeaveAdoption, FindsWhatWasPulledAndGivesItItsKeys) {
  Loom loom;
  talk(loom);
  const auto before = loom.known_web.order;
  const auto places = loom.known_web.places;
  loom.known_web.places.clear();
  loom.restart();
  talk(loom);
  EXPECT_EQ(loom.known_web.order, before);
  EXPECT_EQ(loom.known_web.places, places);
}

TEST(WeaveAdoption, AddsWhatFollowsAsIfItHadWovenAllOfIt) {
  Loom alone, pulled;
  for (Loom* loom : {&alone, &pulled}) talk(*loom);
  pulled.known_web.places.clear();
  pulled.restart();
  talk(pulled);
  for (Loom* loom : {&alone, &pulled}) {
    loom->human("more");
    loom->says("enough");
  }
  // Of two keyrings, so only their numbers are equal.
  for (const char* relation : {"contains", "causes", "sequence", "request_attention"}) {
    EXPECT_EQ(pulled.edges(relation).size(), alone.edges(relation).size()) << relation;
  }
  EXPECT_EQ(pulled.known_web.places.size(), alone.known_web.places.size());
}

// A file that this machine had read in part, and another one further.
TEST(WeaveAdoption, GoesOnWhereAnotherMachineHadComeTo) {
  Loom loom;
  loom.human("why?");
  loom.thinks("hm");
  const auto keys = loom.known_web.places;
  loom.says("so");
  loom.human("and?");
  const auto before = loom.known_web.order;
  loom.known_web.places = keys;
  loom.restart();
  loom.human("why?");
  loom.thinks("hm");
  loom.says("so");
  loom.human("and?");
  EXPECT_EQ(loom.known_web.order, before);
}

TEST(WeaveAdoption, TheSameWordTwiceIsTwoPlaces) {
  Loom loom;
  const auto say_twice = [&] {
    loom.next_time = 2'000;
    loom.human("yes");
    loom.next_time = 2'000;
    loom.human("yes");
  };
  say_twice();
  const std::size_t places = loom.edges("contains").size();
  const auto before = loom.known_web.order;
  loom.known_web.places.clear();
  loom.restart();
  say_twice();
  EXPECT_EQ(loom.known_web.order, before);
  EXPECT_EQ(loom.edges("contains").size(), places);
  loom.next_time = 2'000;
  loom.human("yes");
  EXPECT_GT(loom.known_web.order.size(), before.size());
}

}  // namespace
}  // namespace weft::weave
