#include "weft/query/verify/findings.hpp"

#include <gtest/gtest.h>

namespace weft::query {
namespace {

TEST(Findings, KeepTheSameReasonWhicheverThreadComesFirst) {
  const Cid cid(Digest{1});
  for (const bool swapped : {false, true}) {
    Findings findings;
    findings.bad(cid, swapped ? "b" : "a");
    findings.bad(cid, swapped ? "a" : "b");
    EXPECT_EQ(findings.all_bad().at(cid), "a");
  }
}

TEST(Findings, PreferWhatAThoughtShowsByItselfToWhatShowsInTheWhole) {
  const Cid cid(Digest{1}), other(Digest{2});
  Findings findings;
  findings.bad(cid, "its signature is invalid");
  findings.end_round();
  findings.bad(cid, "a block was removed");
  findings.bad(other, "a block was removed");
  EXPECT_EQ(findings.all_bad().at(cid), "its signature is invalid");
  EXPECT_EQ(findings.all_bad().at(other), "a block was removed");
}

TEST(Findings, EndTheCheckWhereSomethingElseThanTheStoreIsAtFault) {
  Findings findings;
  findings.unreadable({ErrorCode::not_found, "no such thought"});
  findings.unreadable({ErrorCode::corrupt, "bytes were changed"});
  EXPECT_TRUE(findings.status());
  findings.unreadable({ErrorCode::unavailable, "the disk does not answer"});
  findings.unreadable({ErrorCode::conflict, "another process holds the lock"});
  ASSERT_FALSE(findings.status());
  EXPECT_EQ(findings.status().error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace weft::query
