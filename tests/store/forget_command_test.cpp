// The command weft forget: what it answers, when it asks, and which keyring it needs.
#include <gmock/gmock.h>

#include "forget_for_test.hpp"
#include "program.hpp"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ForgetCommand, SaysWhatWentAndThatItIsGone) {
  const test::Weft weft;
  const std::string gone = weft.write("gone.txt", heading("gone") + round_of("gone-words", 1));
  const std::string stays = weft.write("stays.txt", heading("stays") + round_of("stays", 1));
  ASSERT_EQ(weft({"ingest", gone, stays}).exit, 0);
  const std::string cid = [&] {
    for (const json::value& row : test::list(weft.json({"list"}), "conversations")) {
      if (row.at("session_id") == "gone") return test::text(row.get_object(), "cid");
    }
    return std::string();
  }();
  const json::object answer = weft.json({"forget", "gone", "--yes"});
  EXPECT_THAT(test::keys(answer), ElementsAre("forgotten", "tombstone", "archives", "files",
                                              "shared_kept", "wiped", "not_reached", "remotes"));
  EXPECT_EQ(
      canonical_json(answer.at("not_reached")),
      R"x(["session logs (weft watch --log)","exports","backups","remotes","other machines"])x");
  EXPECT_EQ(test::list(answer, "files").at(0).at("exists"), true);
  ASSERT_EQ(test::list(answer, "forgotten").size(), 1u);
  const json::object first = test::list(answer, "forgotten").at(0).get_object();
  EXPECT_THAT(test::keys(first),
              ElementsAre("conversation_cid", "session_id", "format", "source", "thoughts"));
  EXPECT_EQ(test::text(first, "conversation_cid"), cid);
  EXPECT_GT(test::number(first, "thoughts"), 20);
  EXPECT_EQ(test::number(answer, "archives"), 1);
  EXPECT_EQ(answer.at("wiped"), true);

  for (const std::string& name : {cid, std::string("gone"), cid.substr(11)}) {
    const test::Ran again = weft({"forget", name, "--yes"});
    EXPECT_EQ(again.exit, 1) << again;
  }
  EXPECT_THAT(weft({"get", cid}).err, HasSubstr("was forgotten"));
  EXPECT_EQ(weft({"get", cid}).exit, 1);
  EXPECT_THAT(weft({"walk", cid}).err, HasSubstr("was forgotten"));
  EXPECT_EQ(weft({"get", test::text(answer, "tombstone")}).exit, 0);
  EXPECT_EQ(test::number(weft.json({"list"}), "total"), 1);
  EXPECT_EQ(weft({"verify"}).exit, 0);
  EXPECT_EQ(weft({"stats"}).exit, 0);
  const test::Ran ingest = weft({"ingest", gone});
  EXPECT_EQ(ingest.exit, 1) << ingest;
  EXPECT_THAT(ingest.out, HasSubstr("forgotten"));
  EXPECT_FALSE(files_say(weft.home(), "gone-words"));
}

TEST(ForgetCommand, UxA1ForgetsNothingWhereNobodyCanBeAskedUnlessToldTo) {
  const test::Weft weft;
  const std::string file = weft.write("a.txt", heading("a") + round_of("a", 1));
  ASSERT_EQ(weft({"ingest", file}).exit, 0);
  const json::object before = weft.json({"list"});
  for (const std::string input : {"", "no\n", "y\n", "yes\n"}) {
    const test::Ran ran = weft({"forget", "a"}, input);
    EXPECT_EQ(ran.exit, 1) << ran;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("nothing was forgotten"));
    EXPECT_THAT(ran.err, HasSubstr("--yes"));
  }
  const test::Ran json = weft({"forget", "a", "--json"}, "y\n");
  EXPECT_EQ(json.exit, 1) << json;
  const json::object error = json.object().at("error").as_object();
  EXPECT_EQ(test::text(error, "code"), "denied");
  EXPECT_THAT(test::text(error, "message"), HasSubstr("--yes"));
  EXPECT_EQ(weft.json({"list"}), before);
  EXPECT_EQ(weft({"restore", file}).out, read_text(file));
  EXPECT_EQ(weft({"forget", "a", "--yes"}, "no\n").exit, 0);
  EXPECT_EQ(test::number(weft.json({"list"}), "total"), 0);
}

TEST(ForgetCommand, NamesTheCopiesThatItDoesNotReach) {
  const test::Weft weft;
  const std::string file = weft.write("a.txt", heading("a") + round_of("a", 1));
  ASSERT_EQ(weft({"ingest", file}).exit, 0);
  const test::Ran ran = weft({"forget", "a", "--yes"});
  EXPECT_EQ(ran.exit, 0) << ran;
  for (const std::string& copy :
       {file, std::string("session logs"), std::string("exports"), std::string("backups")}) {
    EXPECT_THAT(ran.out, testing::ContainsRegex("not reached: .*" + copy)) << copy;
  }
}

TEST(ForgetCommand, WantsAKeyringThatSigns) {
  const test::Weft weft;
  ASSERT_EQ(weft({"ingest", weft.write("a.txt", heading("a") + round_of("a", 1))}).exit, 0);
  const std::string metadata =
      weft.write("metadata.json", weft({"keys", "export", "--layer", "metadata"}).out);
  std::filesystem::permissions(metadata, std::filesystem::perms::owner_read);
  const test::Ran ran = weft({"forget", "a", "--yes", "--keys", metadata});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_EQ(test::number(weft.json({"list"}), "total"), 1);
  EXPECT_EQ(weft({"forget", "a", "--yes"}).exit, 0);
  EXPECT_EQ(weft({"verify", "--keys", metadata}).exit, 0);
}

}  // namespace
}  // namespace weft
