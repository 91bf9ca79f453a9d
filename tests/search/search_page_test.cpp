// weft search for people: a page that shows where, when and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST(SearchPage, ShowsWhereWhenAndTheWordsThatMatch) {
  const Looms looms;
  const Ran ran = looms({"search", "Corvanthel"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, MatchesRegex("response  looms · Ipsidrane and other things  "
                                    "2026-02-02 02:40:05  [0-9a-f]+\n"
                                    "  \\*\\*Corvanthel\\*\\* answers the weaver\\.\n"));
  EXPECT_THAT(ran.err, HasSubstr("weft: 1 result\n"));
  const json::object best = best_of(looms, {"Corvanthel"});
  const std::string cid = text(best, "cid").substr(11, 12);
  EXPECT_THAT(ran.err, HasSubstr("weft why " + cid));
  EXPECT_THAT(ran.err, HasSubstr("weft read " + cid));
  EXPECT_EQ(looms({"why", cid}).exit, 0);
  EXPECT_THAT(looms({"read", cid}).out, HasSubstr("Corvanthel answers the weaver."));
}

TEST(SearchPage, IsBoldWhereThereAreColours) {
  const Looms looms;
  const Ran ran = looms({"search", "Corvanthel", "--color", "always"});
  EXPECT_THAT(ran.out, HasSubstr("\x1b[1mCorvanthel\x1b[0m answers"));
  EXPECT_THAT(ran.out, Not(HasSubstr("**")));
}

TEST(SearchPage, SaysHowToGoOn) {
  const Looms looms;
  const Ran first = looms({"search", "weaver", "--limit", "2"});
  EXPECT_THAT(first.err, HasSubstr("weft: 2 of 5 results; more: --offset 2\n"));
  const Ran last = looms({"search", "weaver", "--limit", "2", "--offset", "4"});
  EXPECT_THAT(last.err, HasSubstr("weft: the last of 5 results\n"));
}

TEST(SearchPage, ShowsExchanges) {
  const Looms looms;
  const Ran ran = looms({"search", "shuttle", "--turns"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(ran.out, MatchesRegex("turn 2  looms · Ipsidrane and other things  "
                                    "2026-02-02 02:40:10  [0-9a-f]+\n"
                                    "  And the \\*\\*shuttle\\*\\*\\?\n"));
  EXPECT_THAT(ran.err, HasSubstr("--turn 2"));
}

TEST(SearchPage, ATranscriptDrivesNoTerminal) {
  Looms looms;
  Session session("33333333-3333-4333-8333-333333333333");
  session.human("\x1b]0;owned\x07 Ostermund \x1b[2J\xE2\x80\xAEx");
  session.sums_up("\x1b[31mtitle");
  Looms::write_to(looms.transcripts() / (session.id() + ".jsonl"), session.text());
  looms.ingest();
  for (const std::string colour : {"never", "always"}) {
    const Ran ran = looms({"search", "Ostermund", "--color", colour});
    EXPECT_EQ(ran.exit, 0) << ran;
    for (const std::string sequence : {"\x1b]", "\x1b[2J", "\x1b[31m", "\x07", "\xE2\x80\xAE"}) {
      EXPECT_THAT(ran.out, Not(HasSubstr(sequence))) << colour;
      EXPECT_THAT(ran.err, Not(HasSubstr(sequence))) << colour;
    }
  }
}

TEST(SearchPage, HelpTellsWhatCanBeTyped) {
  const Weft weft;
  const Ran ran = weft({"search", "--help"});
  EXPECT_EQ(ran.exit, 0) << ran;
  for (const std::string part : {"[QUERY...]", "--turns", "\"a phrase\"", "+must", "prefix*",
                                 "tool:Bash", "Put -- before"}) {
    EXPECT_THAT(ran.out, HasSubstr(part));
  }
  EXPECT_THAT(weft({"--help"}).out, HasSubstr("search"));
  EXPECT_EQ(weft({"search", "x", "--role", "nobody"}).exit, 2);
  EXPECT_EQ(weft({"search", "x", "--since", "someday"}).exit, 2);
  EXPECT_EQ(weft({"search", "x", "--limit", "-1"}).exit, 2);
  const Ran dashed = weft({"search", "x", "-y"});
  EXPECT_EQ(dashed.exit, 2);
  EXPECT_THAT(dashed.err, HasSubstr("put -- before it"));
}

}  // namespace
}  // namespace weft::test
