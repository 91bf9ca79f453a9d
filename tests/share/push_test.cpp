// weft push, pull and sync between homes, through a folder and through a store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "share_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(Sharing, SaysWhatToWriteWhereNoRemoteIsConfigured) {
  const Machine lone;
  const Ran ran = lone({"push"});
  EXPECT_EQ(ran.exit, 2) << ran;
  EXPECT_THAT(ran.err, HasSubstr(lone.home().string() + "/config.json"));
  EXPECT_THAT(ran.err, HasSubstr(R"({"remotes": {"team": {"url": "folder:)"));
  lone.has_remotes({{"team", "folder:" + folder().string()}}, "[]");
  lone.ingests(short_session(kOne));
  const Ran empty = lone({"push", "--yes"});
  EXPECT_EQ(empty.exit, 2) << empty;
  EXPECT_THAT(empty.err, HasSubstr(R"("projects": ["weft*"])"));
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(Sharing, SendsNothingBeforeThePersonAgreed) {
  one.ingests(short_session(kOne));
  const Ran ran = one({"push", "folder"}, "y\n");
  EXPECT_EQ(ran.exit, 2) << ran;
  EXPECT_THAT(ran.err, HasSubstr("would send 1 conversation"));
  EXPECT_THAT(ran.err, HasSubstr("--yes"));
  const Ran dry = one({"push", "folder", "--dry-run"});
  EXPECT_EQ(dry.exit, 0) << dry;
  EXPECT_THAT(dry.out, HasSubstr("would send 1 conversation"));
  EXPECT_FALSE(fs::exists(folder()));
  one.push("folder");
  // From here on it is known what may go, until that changes.
  one.ingests(short_session(kTwo));
  EXPECT_EQ(one({"push", "folder"}).exit, 0);
  one.has_remotes({{"folder", "folder:" + folder().string()}}, R"(["looms", "others"])");
  EXPECT_EQ(one({"push", "folder"}).exit, 2);
}

class Both : public Sharing, public testing::WithParamInterface<const char*> {};

TEST_P(Both, CarryTheWebToAnotherMachineAndThenOnlyWhatIsNew) {
  Session session = long_session(kOne);
  one.ingests(session);
  one.ingests(short_session(kTwo));
  const json::object first = one.push(GetParam());
  EXPECT_THAT(list(first, "sent"), SizeIs(2));
  EXPECT_THAT(list(one.push(GetParam()), "sent"), IsEmpty());

  EXPECT_THAT(list(two.pull(GetParam()), "taken"), SizeIs(2));
  EXPECT_EQ(web_of(two), web_of(one));
  EXPECT_TRUE(two.verifies());
  EXPECT_THAT(list(two.pull(GetParam()), "taken"), IsEmpty());

  session.human("and now?");
  session.says("now this");
  one.ingests(session);
  const json::array more = list(one.push(GetParam()), "sent");
  ASSERT_THAT(more, SizeIs(1));
  const auto thoughts = [](const json::value& sent) {
    return number(sent.as_object(), "thoughts");
  };
  // A folder has whole conversations; a store gets what it has not.
  const bool is_store = GetParam() != std::string_view("folder");
  const std::int64_t all = thoughts(list(first, "sent").at(0));
  if (is_store) EXPECT_LT(thoughts(more.at(0)), all / 2);
  const json::array taken = list(two.pull(GetParam()), "taken");
  ASSERT_THAT(taken, SizeIs(1));
  EXPECT_EQ(web_of(two), web_of(one));
  EXPECT_TRUE(two.verifies());

  // What the second machine adds comes back; it goes on where the first one was.
  session.human("and then?");
  two.ingests(session);
  EXPECT_THAT(list(two.push(GetParam()), "sent"), SizeIs(1));
  EXPECT_THAT(list(one.pull(GetParam()), "taken"), SizeIs(1));
  EXPECT_EQ(web_of(two), web_of(one));
  EXPECT_TRUE(one.verifies());
}

TEST_P(Both, CarrySubagentsAndForks) {
  Session session = long_session(kOne);
  session.calls("task-1", "Task", "oil the treadle");
  session.prints("task-1", "oiled", json::object{{"agentId", "a7"}, {"status", "completed"}});
  Session child(kOne);
  child.make_subagent("a7");
  child.human("oil the treadle");
  child.says("oiled");
  Session fork(kTwo);
  fork.copy(session);
  fork.human("and a shuttle");
  const std::string path = place(one, kOne);
  append(path, session.text());
  fs::create_directories(fs::path(path).parent_path() / kOne / "subagents");
  append(fs::path(path).parent_path() / kOne / "subagents/agent-a7.jsonl", child.text());
  append(place(one, kTwo), fork.text());
  ASSERT_EQ(one({"ingest", fs::path(path).parent_path()}).exit, 0);
  ASSERT_THAT(list(one.push(GetParam()), "sent"), SizeIs(3));
  ASSERT_THAT(list(two.pull(GetParam()), "taken"), SizeIs(3));
  EXPECT_EQ(web_of(two), web_of(one));
  EXPECT_TRUE(two.verifies());
}

TEST_P(Both, ForgetEverywhereWhatItsCreatorForgot) {
  one.ingests(short_session(kOne));
  one.ingests(short_session(kTwo, "secretive"));
  one.push(GetParam());
  two.pull(GetParam());
  const std::string gone = cid_of(kTwo);
  ASSERT_EQ(one({"forget", kTwo, "--yes"}).exit, 0);
  // It does not come back, and goes from the remote.
  EXPECT_EQ(number(one.pull(GetParam()), "forgotten_here"), 1);
  EXPECT_THAT(list(one.push(GetParam()), "forgotten"), SizeIs(1));
  // The other machine, which still has it, does not bring it back.
  EXPECT_THAT(list(two.push(GetParam(), 1), "forgotten_there"), SizeIs(1));
  const json::array forgotten = list(two.pull(GetParam()), "forgotten");
  ASSERT_THAT(forgotten, SizeIs(1));
  EXPECT_EQ(forgotten.at(0).at("carried_out"), true);
  EXPECT_EQ(two({"get", gone}).exit, 1);
  EXPECT_EQ(web_of(two), web_of(one));
  EXPECT_TRUE(two.verifies());
  EXPECT_THAT(list(two.push(GetParam()), "sent"), IsEmpty());
  EXPECT_EQ(number(two.pull(GetParam()), "forgotten_here"), 0);
}

INSTANTIATE_TEST_SUITE_P(Remotes, Both, testing::ValuesIn(every_remote()),
                         [](const auto& at) { return std::string(at.param); });

TEST_F(Sharing, SendsOnlyTheProjectsThatWereNamed) {
  one.ingests(short_session(kOne));
  for (const auto& [projects, sent, left] :
       {std::tuple(R"(["others"])", 0U, 1), std::tuple(R"(["loo*"])", 1U, 0)}) {
    one.has_remotes({{"folder", "folder:" + folder().string()}}, projects);
    const json::object pushed = one.push("folder");
    EXPECT_THAT(list(pushed, "sent"), SizeIs(sent)) << projects;
    EXPECT_EQ(number(pushed, "not_selected"), left) << projects;
  }
}

TEST_F(Sharing, HoldsBackASecretUntilThePersonSaysOtherwise) {
  one.ingests(short_session(kOne, "the key is AKIAQ7WZK3LT2MNB5VXC"));
  one.ingests(short_session(kTwo));
  const json::object pushed = one.push("folder", 1);
  EXPECT_THAT(list(pushed, "sent"), SizeIs(1));
  const json::array held = list(pushed, "held_back");
  ASSERT_THAT(held, SizeIs(1));
  EXPECT_EQ(text(held.at(0).as_object(), "session_id"), kOne);
  EXPECT_EQ(held.at(0).at("rules").at(0), "aws-access-key");
  EXPECT_THAT(canonical_json(held), testing::Not(HasSubstr("AKIAQ7WZK3LT2MNB5VXC")));
  EXPECT_THAT(files(), SizeIs(1));
  // Held back again, although nothing changed.
  EXPECT_THAT(list(one.push("folder", 1), "held_back"), SizeIs(1));
  EXPECT_THAT(list(one.push("folder", 0, {"--with-secrets"}), "sent"), SizeIs(1));
  EXPECT_THAT(list(one.push("folder"), "held_back"), IsEmpty());
}

TEST_F(Sharing, SendsASecretThatIsSealed) {
  const Machine sealed;
  ASSERT_EQ(sealed({"init", "--seal", "all"}).exit, 0);
  sealed.has_remotes({{"folder", "folder:" + folder().string()}});
  sealed.ingests(short_session(kOne, "the key is AKIAQ7WZK3LT2MNB5VXC"));
  EXPECT_THAT(list(sealed.push("folder"), "sent"), SizeIs(1));
  EXPECT_THAT(*read_file(files().front()), testing::Not(HasSubstr("AKIAQ7WZK3LT2MNB5VXC")));
}

TEST_F(Sharing, DoesNotTakeAnUnmountedDiskForAnEmptyOne) {
  one.ingests(short_session(kOne));
  one.push("folder");
  fs::rename(folder(), shared.scratch() / "away");
  for (const char* command : {"push", "pull"}) {
    const Ran ran = one({command, "folder"});
    EXPECT_EQ(ran.exit, 3) << ran;
    EXPECT_THAT(ran.err, HasSubstr("mounted"));
  }
  EXPECT_FALSE(fs::exists(folder()));
  // Nor another web for the one that was agreed on.
  const Machine other;
  other.has_remotes({{"folder", "folder:" + folder().string()}});
  other.ingests(short_session(kTwo));
  other.push("folder");
  EXPECT_EQ(one({"push", "folder"}).exit, 2);
  EXPECT_THAT(files(), SizeIs(1));
}

TEST_F(Sharing, TakesWhatAColleagueSharedAsForeign) {
  const Machine colleague;
  colleague.has_remotes({{"folder", "folder:" + folder().string()}});
  colleague.ingests(short_session(kOne));
  colleague.push("folder");
  EXPECT_THAT(list(one.pull("folder"), "taken"), SizeIs(1));
  EXPECT_TRUE(one.verifies());
  // Forgetting it here does not take it from the others.
  one.ingests(short_session(kTwo));
  ASSERT_EQ(one({"forget", kOne, "--yes"}).exit, 0);
  const json::object pushed = one.push("folder");
  EXPECT_THAT(list(pushed, "forgotten"), IsEmpty());
  EXPECT_THAT(files(), SizeIs(2));
}

TEST_F(Sharing, ASyncPullsAndPushes) {
  one.ingests(short_session(kOne));
  two.ingests(short_session(kTwo));
  one.push("folder");
  const Ran ran = two({"sync", "folder", "--yes", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_THAT(list(ran.object().at("pull").as_object(), "taken"), SizeIs(1));
  EXPECT_THAT(list(ran.object().at("push").as_object(), "sent"), SizeIs(1));
  one.pull("folder");
  EXPECT_EQ(web_of(one), web_of(two));
}

}  // namespace
}  // namespace weft::test
