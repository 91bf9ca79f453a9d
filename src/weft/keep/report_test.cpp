#include "weft/keep/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::keep {
namespace {

using query::RangeFinding;
using testing::SizeIs;

Cid cid_of(std::uint8_t first) { return Cid(Digest{first}); }
RangeFinding bad(std::uint8_t first) { return {RangeFinding::Kind::bad, cid_of(first), "why"}; }
constexpr store::ScanRange kEarly{{1, 10}}, kLate{{11, 20}};

json::object answer_of(const Report& report) {
  return to_answer(store::KeeperNote{.holder = "me", .is_current = true, .report = report.text()});
}

TEST(Report, TellsANewFindingOnceAndForgetsItOnceItsRangeIsClean) {
  Report report("loom:7");
  EXPECT_THAT(report.set_findings(kEarly, {bad(1)}), SizeIs(1));
  EXPECT_THAT(report.set_findings(kEarly, {bad(1)}), SizeIs(0));
  EXPECT_THAT(report.set_findings(kLate, {bad(2)}), SizeIs(1));
  EXPECT_THAT(report.ranges_with_findings(), SizeIs(2));
  EXPECT_THAT(report.set_findings(kEarly, {}), SizeIs(0));
  EXPECT_EQ(report.count_findings(), 1u);
  const json::object answer = answer_of(report);
  ASSERT_THAT(answer.at("findings").as_array(), SizeIs(1));
  EXPECT_EQ(answer.at("findings").as_array()[0],
            (json::value{{"cid", cid_of(2).str()}, {"kind", "bad"}}))
      << "no reason, which may quote what was stored";
}

TEST(Report, GoesOnWhereTheKeeperBeforeWas) {
  Report before("loom:7");
  before.set_mark({.row = 20, .log = 3}, 5);
  before.add_checked(20);
  before.set_findings(kLate, {bad(2)});
  before.add({.state = CarriedOut::State::done, .tombstone = cid_of(9), .thoughts = 4}, 77);
  Report after("shuttle:8");
  after.resume(before.text());
  after.resume(before.text());
  EXPECT_EQ(after.mark(), (store::AddedMark{.row = 20, .log = 3}));
  ASSERT_THAT(after.ranges_with_findings(), SizeIs(1));
  EXPECT_EQ(after.ranges_with_findings()[0].token, kLate.token);
  const json::object answer = answer_of(after);
  EXPECT_EQ(answer.at("checked"), 20);
  EXPECT_THAT(answer.at("forgotten").as_array(), SizeIs(1));
  EXPECT_EQ(answer.at("keeper").as_object().at("name"), "shuttle:8");
}

TEST(Report, TakesNoHarmFromWhatOthersWroteThere) {
  for (const char* text :
       {"", "{", "[]", R"({"mark":{}})", R"({"mark":{"row":"x"},"findings":[1]})",
        R"({"mark":{},"findings":[{"cid":"x","kind":"bad","range":[1]}]})"}) {
    Report report("loom:7");
    report.resume(text);
    EXPECT_EQ(report.mark(), store::AddedMark()) << text;
    EXPECT_EQ(report.count_findings(), 0u) << text;
    EXPECT_EQ(to_answer(store::KeeperNote{.report = text}).size(), 12u) << text;
  }
  EXPECT_EQ(to_answer(std::nullopt).at("is_kept"), false);
}

}  // namespace
}  // namespace weft::keep
