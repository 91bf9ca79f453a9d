// Two machines with one keyring that wove one session, each on its own, become one web again,
// whichever pushes or pulls first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "share_for_test.hpp"
#include "weft/base/file.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/statements/joining.hpp"

namespace weft::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

// What people see of a conversation, in order: it must not depend on the machine.
std::string reading_of(const Machine& machine, const std::string& session) {
  std::string all;
  for (const json::value& turn : list(machine.json({"walk", session, "--all"}), "turns")) {
    all += "turn " + text(turn.get_object(), "cid") + "\n";
    for (const json::value& block : list(turn.get_object(), "thoughts")) {
      all += text(block.get_object(), "cid") + "\n";
    }
  }
  return all;
}

std::vector<std::string> found_on(const Machine& machine, const std::string& words) {
  std::vector<std::string> found;
  for (const json::value& hit : list(machine.json({"search", words}), "results")) {
    found.push_back(text(hit.get_object(), "cid"));
  }
  std::ranges::sort(found);
  return found;
}

// The newest checkpoint of a session and everything before it: it signs the places and their order.
std::set<std::string> checkpoints_of(const Machine& machine, const std::string& session) {
  std::set<std::string> found;
  std::istringstream lines(machine({"export", session, "--as", "thoughts"}).out);
  for (std::string line; std::getline(lines, line);) {
    const json::object thought = parse_json(line)->value.get_object();
    if (text(thought, "type") == "checkpoint") found.insert(text(thought, "cid"));
  }
  return found;
}

class Chains : public Sharing, public testing::WithParamInterface<const char*> {
 protected:
  // A session up to here, and two ways in which it went on.
  Chains() {
    ours.says("the end of the common part");
    theirs.copy(ours);
    ours.human("apples from the first machine");
    ours.says("apples, indeed");
    theirs.human("pears from the second machine");
    theirs.says("pears, of course");
  }
  void expect_equal(const Machine& a, const Machine& b) const {
    EXPECT_EQ(web_of(a), web_of(b));
    EXPECT_EQ(checkpoints_of(a, kOne), checkpoints_of(b, kOne));
    EXPECT_EQ(reading_of(a, kOne), reading_of(b, kOne));
    for (const char* words : {"apples", "pears", "common"}) {
      EXPECT_EQ(found_on(a, words), found_on(b, words)) << words;
    }
    for (const Machine* machine : {&a, &b}) {
      const Ran ran = (*machine)({"verify"});
      EXPECT_EQ(ran.exit, 0) << ran;
    }
  }
  // What each machine has of the other, too.
  void expect_both_words(const Machine& machine) const {
    for (const char* words : {"indeed", "course", "first", "second"}) {
      EXPECT_THAT(found_on(machine, words), SizeIs(1)) << words;
    }
  }
  // Until nobody has anything new.
  void sync_all(std::vector<const Machine*> machines) const {
    for (int round = 0; round < 3; ++round) {
      for (const Machine* machine : machines) {
        machine->pull(GetParam());
        machine->push(GetParam());
      }
    }
  }

  Session ours = short_session(kOne), theirs{kOne};
};

TEST_P(Chains, WhatTwoMachinesWoveApartBecomesOneWhicheverIsFirst) {
  for (const bool is_one_first : {true, false}) {
    SCOPED_TRACE(is_one_first);
    const Machine first, second;
    for (const Machine* machine : {&first, &second}) {
      fs::create_directories(machine->home());
      fs::copy_file(one.home() / "keyring.json", machine->home() / "keyring.json");
    }
    const std::string url = GetParam() == std::string_view("folder")
                                ? "folder:" + shared.path("cloud/" + std::to_string(is_one_first))
                            : GetParam() == std::string_view("store")
                                ? "sqlite:" + shared.path(std::to_string(is_one_first) + ".db")
                                : schema->text();
    if (schema) schema->clear();
    for (const Machine* machine : {&first, &second}) machine->has_remotes({{GetParam(), url}});
    first.ingests(is_one_first ? ours : theirs);
    second.ingests(is_one_first ? theirs : ours);

    first.push(GetParam());
    EXPECT_THAT(list(second.push(GetParam(), 1), "pull_first"), SizeIs(1));
    const json::array joined = list(second.pull(GetParam()), "joined");
    ASSERT_THAT(joined, SizeIs(1));
    EXPECT_EQ(number(joined.at(0).as_object(), "brought_blocks"), 2);
    EXPECT_THAT(list(second.push(GetParam()), "sent"), SizeIs(1));
    EXPECT_THAT(list(first.pull(GetParam()), "taken"), SizeIs(1));
    expect_equal(first, second);
    expect_both_words(first);
    // It is settled.
    EXPECT_THAT(list(first.push(GetParam()), "sent"), IsEmpty());
    EXPECT_THAT(list(second.pull(GetParam()), "taken"), IsEmpty());

    // A line more on each machine is one line more.
    const std::size_t before = web_of(first).size();
    Session more = is_one_first ? ours : theirs;
    more.human("plums");
    first.ingests(more);
    first.push(GetParam());
    second.pull(GetParam());
    second.ingests(is_one_first ? theirs : ours);
    EXPECT_THAT(list(second.push(GetParam()), "sent"), IsEmpty());
    expect_equal(first, second);
    const auto plums = found_on(first, "plums");
    EXPECT_THAT(plums, SizeIs(1));
    EXPECT_EQ(web_of(first).size(), before + 5);  // the block, its turn, two places, one cause
  }
}

TEST_P(Chains, AThirdMachineThatHadPulledTheChainThatWasGivenUpFollows) {
  Machine third;
  fs::create_directories(third.home());
  fs::copy_file(one.home() / "keyring.json", third.home() / "keyring.json");
  fs::copy_file(one.home() / "config.json", third.home() / "config.json");
  one.ingests(ours);
  two.ingests(theirs);
  // The third has what the second wove, by another way.
  third.has_remotes({{GetParam(), "folder:" + shared.path("cloud/apart")}});
  two.has_remotes({{GetParam(), "folder:" + shared.path("cloud/apart")}});
  two.push(GetParam());
  third.pull(GetParam());
  fs::copy_file(one.home() / "config.json", two.home() / "config.json",
                fs::copy_options::overwrite_existing);
  fs::copy_file(one.home() / "config.json", third.home() / "config.json",
                fs::copy_options::overwrite_existing);
  fs::remove_all(two.home() / "remotes");
  fs::remove_all(third.home() / "remotes");
  one.push(GetParam());
  sync_all({&third, &two, &one});
  expect_equal(one, two);
  expect_equal(one, third);
  expect_both_words(third);
}

TEST_P(Chains, EqualFilesLeaveOneChainAndAStatement) {
  one.ingests(ours);
  two.ingests(ours);
  one.push(GetParam());
  const json::array joined = list(two.pull(GetParam()), "joined");
  ASSERT_THAT(joined, SizeIs(1));
  EXPECT_EQ(number(joined.at(0).as_object(), "brought_blocks"), 0);
  sync_all({&two, &one});
  expect_equal(one, two);
}

TEST_P(Chains, AColleagueFollowsTheCreatorsStatementAndNobodyElses) {
  const Machine colleague;
  colleague.has_remotes({{GetParam(), "folder:" + shared.path("cloud/apart")}});
  two.has_remotes({{GetParam(), "folder:" + shared.path("cloud/apart")}});
  one.ingests(ours);
  two.ingests(theirs);
  two.push(GetParam());
  colleague.pull(GetParam());
  for (const Machine* machine : {&two, &colleague}) {
    fs::copy_file(one.home() / "config.json", machine->home() / "config.json",
                  fs::copy_options::overwrite_existing);
    fs::remove_all(machine->home() / "remotes");
  }
  one.push(GetParam());
  // Whether the colleague's chain is given up, only its creator can say.
  const std::string before = reading_of(colleague, kOne);
  EXPECT_THAT(list(colleague.pull(GetParam(), 1), "diverged"), SizeIs(1));
  EXPECT_EQ(reading_of(colleague, kOne), before);
  EXPECT_TRUE(colleague.verifies());
  sync_all({&two, &one});
  EXPECT_THAT(list(colleague.pull(GetParam()), "taken"), SizeIs(1));
  expect_equal(one, colleague);
}

INSTANTIATE_TEST_SUITE_P(Remotes, Chains, testing::ValuesIn(every_remote()),
                         [](const auto& at) { return std::string(at.param); });

// A folder that a file service copies has what both wrote before either saw the other.
TEST_F(Sharing, BothMachinesPushedBeforeEitherPulled) {
  const std::string apart = shared.path("cloud/apart");
  Session theirs(kOne);
  Session ours = short_session(kOne);
  theirs.copy(ours);
  ours.human("apples");
  theirs.human("pears");
  one.ingests(ours);
  two.ingests(theirs);
  one.push("folder");
  two.has_remotes({{"folder", "folder:" + apart}});
  two.push("folder");
  for (const auto& entry : fs::directory_iterator(fs::path(apart) / "conversations")) {
    fs::copy_file(entry.path(), folder() / "conversations" / entry.path().filename());
  }
  fs::copy_file(one.home() / "config.json", two.home() / "config.json",
                fs::copy_options::overwrite_existing);
  fs::remove_all(two.home() / "remotes");
  ASSERT_THAT(files(), SizeIs(2));
  // Both join, without each other, and make the same.
  EXPECT_THAT(list(one.pull("folder"), "joined"), SizeIs(1));
  EXPECT_THAT(list(two.pull("folder"), "joined"), SizeIs(1));
  EXPECT_EQ(web_of(one), web_of(two));
  EXPECT_EQ(checkpoints_of(one, kOne), checkpoints_of(two, kOne));
  one.push("folder");
  EXPECT_THAT(list(two.push("folder"), "sent"), IsEmpty());
  EXPECT_THAT(files(), SizeIs(1));
  EXPECT_TRUE(one.verifies());
  EXPECT_TRUE(two.verifies());
}

TEST_F(Sharing, AFileThatIsReadAfterAPullAddsOnlyWhatIsNew) {
  Session session = long_session(kOne);
  one.ingests(session);
  one.push("folder");
  two.pull("folder");
  const auto web = web_of(two);
  two.ingests(session);
  EXPECT_EQ(web_of(two), web);
  EXPECT_THAT(list(two.push("folder"), "sent"), IsEmpty());
  session.human("and now?");
  session.says("now this");
  two.ingests(session);
  one.ingests(session);
  two.push("folder");
  one.pull("folder");
  // One joined its chain with that of two, and said so.
  const auto without_joining = [&] {
    std::set<std::string> without;
    for (const std::string& cid : web_of(one)) {
      if (text(one.json({"get", cid}), "type") != "joining") without.insert(cid);
    }
    return without;
  };
  EXPECT_EQ(web_of(two), without_joining());
  const Machine alone;
  fs::create_directories(alone.home());
  fs::copy_file(one.home() / "keyring.json", alone.home() / "keyring.json");
  alone.ingests(session);
  EXPECT_EQ(web_of(alone), without_joining());
}

TEST_F(Sharing, AnArchiveOpensAfterItsChainWasGivenUp) {
  Session theirs(kOne);
  Session ours = long_session(kOne);
  theirs.copy(ours);
  ours.human("apples");
  theirs.human("pears");
  one.ingests(ours);
  two.ingests(theirs);
  one.push("folder");
  two.pull("folder");
  two.push("folder");
  one.pull("folder");
  for (const auto& [machine, session] : {std::pair(&one, &ours), {&two, &theirs}}) {
    const std::string path = place(*machine, kOne);
    fs::remove(path);
    const Ran ran = (*machine)({"restore", path, "--out", machine->path("restored.jsonl")});
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_EQ(*read_file(machine->path("restored.jsonl")), session->text());
    EXPECT_TRUE(machine->verifies());
  }
}

TEST_F(Sharing, AHeadKeptElsewhereHoldsAfterChainsWereJoined) {
  Session theirs(kOne);
  Session ours = short_session(kOne);
  theirs.copy(ours);
  ours.human("apples");
  theirs.human("pears");
  one.ingests(ours);
  two.ingests(theirs);
  const std::string our_head = text(one.json({"verify"}), "head");
  const std::string their_head = text(two.json({"verify"}), "head");
  one.push("folder");
  two.pull("folder");
  two.push("folder");
  one.pull("folder");
  bool is_said = false;
  for (const auto& [machine, head] : {std::pair(&one, our_head), {&two, their_head}}) {
    const Ran ran = (*machine)({"verify", "--head", head});
    EXPECT_EQ(ran.exit, 0) << ran;
    is_said = is_said || ran.out.find("given up") != std::string::npos;
  }
  EXPECT_TRUE(is_said);
  // Another head was never reached.
  EXPECT_EQ(one({"verify", "--head", std::string(64, '1')}).exit, 1);
}

// What somebody signs about the chains of a conversation that somebody else made.
TEST_F(Sharing, AStrangerGivesUpNobodysChain) {
  one.ingests(short_session(kOne));
  one.push("folder");
  two.pull("folder");
  const std::set<std::string> ours = checkpoints_of(one, kOne);
  ASSERT_THAT(ours, SizeIs(1));
  const Machine eve;
  ASSERT_EQ(eve({"init"}).exit, 0);
  const auto keyring = crypto::Keyring::parse(*read_file(eve.home() / "keyring.json"), {}).value();
  const thought::Identities identities(keyring);
  const Cid conversation = *Cid::parse(cid_of(kOne));
  thought::Thought joining =
      thought::make_joining({.conversation = conversation,
                             .kept = *Cid::parse("cid:blake3:" + std::string(64, '1')),
                             .given_up = {*Cid::parse(*ours.begin())}},
                            identities.owner().cid, 5'000);
  joining.signature = identities.owner_key().sign(crypto::bytes_of(joining.cid.digest()));
  const std::string statement =
      canonical_json(to_json(identities.owner())) + "\n" + canonical_json(to_json(joining)) + "\n";
  // By itself it is refused, and in the place of a newer state it takes nothing away.
  two.write("statement.jsonl", statement);
  const Ran imported = two({"import", two.path("statement.jsonl"), "--json"});
  EXPECT_EQ(imported.exit, 1) << imported;
  EXPECT_THAT(imported.out, testing::HasSubstr("of somebody else"));
  const fs::path file = file_of(kOne);
  const std::string name = file.filename();
  append(file.parent_path() / (name.substr(0, 65) + std::string(64, '2') + ".jsonl"),
         *read_file(file) + statement);
  EXPECT_THAT(list(two.pull("folder", 1), "refused"), SizeIs(1));
  EXPECT_EQ(checkpoints_of(two, kOne), ours);
  EXPECT_TRUE(two.verifies());
}

}  // namespace
}  // namespace weft::test
