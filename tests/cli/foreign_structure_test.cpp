// A stranger's statements about the owner's conversation, as a person meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/store/open.hpp"
#include "weft/store/stranger_for_test.hpp"

namespace weft::test {
namespace {

using store::Stranger;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Security1Program : public testing::Test {
 protected:
  Security1Program() {
    const json::object ingested =
        weft.json({"ingest", weft.write("talk.txt", cli::sample_transcript())});
    talk = Cid::parse(text(list(ingested, "conversations").at(0).as_object(), "conversation_cid"))
               .value();
    eve.places(eve.turn(talk, 99), eve.says("INJECTED ferry"));
    forged = eve.commit(talk);
  }
  std::string file() const {
    std::string lines;
    for (const thought::Thought& thought : forged) {
      lines += canonical_json(thought::to_json(thought)) + "\n";
    }
    return weft.write("forged.jsonl", lines);
  }
  // Past `weft import`, as an older weft imported it.
  void put_into_the_store() const {
    const auto store =
        store::open_store((weft.home() / "weft.db").string(), store::Create::no).value();
    ASSERT_TRUE(store->writer().import(forged, {}));
  }

  Weft weft;
  Cid talk;
  Stranger eve;
  std::vector<thought::Thought> forged;
};

TEST_F(Security1Program, ImportNamesWhatItRefusesAndWhy) {
  const Ran ran = weft({"import", file()});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_THAT(ran.out,
              HasSubstr("of somebody else: only the creator of a conversation adds to it"));
  EXPECT_THAT(weft({"transcript", talk.str()}).out, Not(HasSubstr("INJECTED")));
  EXPECT_EQ(weft({"verify"}).exit, 0) << weft({"verify"});
}

TEST_F(Security1Program, VerifyNamesTheStrangerAndTheCommandThatRemovesThem) {
  put_into_the_store();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"verify"}, {"verify", "--quick"}, {"verify", talk.str()}}) {
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 1) << ran;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("bad"), HasSubstr("foreign"), HasSubstr(talk.brief()),
                               HasSubstr("weft repair --drop-key " + eve.key())));
  }
}

TEST_F(Security1Program, TrustGivesNoSayAboutConversationsOfOthers) {
  put_into_the_store();
  ASSERT_EQ(weft({"keys", "trust", eve.cid().str()}).exit, 0);
  const Ran ran = weft({"verify", "--json"});
  EXPECT_EQ(ran.exit, 1) << ran;
  const json::object answer = ran.object();
  EXPECT_GT(number(answer, "trusted"), 0);
  EXPECT_EQ(number(answer, "foreign"), 0);
  EXPECT_EQ(text(answer, "verdict"), "bad");
  EXPECT_EQ(list(answer, "foreign_structure").size(), 3u) << canonical_json(answer);
  EXPECT_EQ(weft({"import", file()}).exit, 1);
  EXPECT_THAT(weft({"transcript", talk.str()}).out, Not(HasSubstr("INJECTED")));
}

TEST_F(Security1Program, AForeignThoughtHasASignOnTheTerminal) {
  put_into_the_store();
  EXPECT_THAT(weft({"walk", talk.str()}).out, Not(HasSubstr("‡")));
  EXPECT_THAT(weft({"walk", talk.str(), "--all"}).out, HasSubstr("‡ INJECTED"));
  EXPECT_THAT(weft({"search", "INJECTED"}).out, HasSubstr("‡"));
  EXPECT_THAT(weft({"search", "ferry", "--type", "human_input"}).out, Not(HasSubstr("‡")));
  const std::string block = forged.at(1).cid.str();
  EXPECT_THAT(weft({"get", block}).out, HasSubstr("‡"));
  EXPECT_THAT(weft({"why", block}).out, HasSubstr("‡"));
  EXPECT_THAT(weft({"connections", block}).out, HasSubstr("‡ contains"));
  EXPECT_THAT(weft({"list"}).out, Not(HasSubstr("‡")));
}

}  // namespace
}  // namespace weft::test
