// A push and a pull, killed at any moment: the remote has each conversation whole or not at all,
// and the next one finishes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kill_moments_for_test.hpp"
#include "share_for_test.hpp"
#include "start_for_test.hpp"
#include "watch_for_test.hpp"

namespace weft::test {
namespace {

using testing::IsEmpty;

class ShareMoments : public Sharing, public testing::WithParamInterface<const char*> {
 protected:
  ShareMoments() {
    for (int i = 0; i < 3; ++i) {
      one.ingests(long_session(std::to_string(i) + kOne.substr(1)));
    }
  }
  void clear_remote() const {
    fs::remove_all(folder());
    for (const char* end : {"", "-wal", "-shm", ".web-id", ".lock"}) {
      fs::remove(shared.path("shared.db") + end);
    }
    if (schema) schema->clear();
    fs::remove_all(one.home() / "remotes");
    fs::remove_all(two.home() / "remotes");
  }
  void clear_second() const {
    for (const auto& entry : fs::directory_iterator(two.home())) {
      const std::string name = entry.path().filename();
      if (name != "keyring.json" && name != "config.json") fs::remove_all(entry.path());
    }
  }
};

TEST_P(ShareMoments, APushThatIsKilledIsFinishedByTheNext) {
  const std::vector<std::string> push = {"push", GetParam(), "--yes"};
  KillMoments moments([&] { EXPECT_EQ(wait_for(start(one, push)), 0); });
  while (moments.goes_on(KillMoments::count() / 5)) {
    SCOPED_TRACE(moments.trace());
    clear_remote();
    clear_second();
    moments.strike(start(one, push));
    // What is there is whole.
    const Ran pulled = two({"pull", GetParam(), "--json"});
    if (pulled.exit == 0) EXPECT_THAT(list(pulled.object(), "refused"), IsEmpty()) << pulled;
    one.push(GetParam());
    two.pull(GetParam());
    EXPECT_TRUE(two.verifies());
  }
  EXPECT_EQ(web_of(two), web_of(one));
  EXPECT_GT(moments.killed(), 0);
}

TEST_P(ShareMoments, APullThatIsKilledIsFinishedByTheNext) {
  one.push(GetParam());
  const std::vector<std::string> pull = {"pull", GetParam()};
  KillMoments moments([&] { EXPECT_EQ(wait_for(start(two, pull)), 0); });
  while (moments.goes_on(KillMoments::count() / 5)) {
    SCOPED_TRACE(moments.trace());
    clear_second();
    moments.strike(start(two, pull));
    two.pull(GetParam());
    EXPECT_TRUE(two.verifies());
  }
  EXPECT_EQ(web_of(two), web_of(one));
  EXPECT_GT(moments.killed(), 0);
}

// Two chains of one session: at every moment a machine has its own, or the joined one.
TEST_P(ShareMoments, AJoinThatIsKilledLeavesOneOfTwoStates) {
  Session base = short_session(kOne), theirs(kOne);
  theirs.copy(base);
  for (int i = 0; i < 20; ++i) base.human("apples " + std::to_string(i));
  for (int i = 0; i < 20; ++i) theirs.human("pears " + std::to_string(i));
  // All else is the same on both machines.
  one.push(GetParam());
  two.pull(GetParam());
  one.ingests(base);
  two.ingests(theirs);
  const Machine third;
  fs::create_directories(third.home());
  // One of the two gives up its own chain; which one, the checkpoints say.
  for (const auto& [giver, taker] : {std::pair(&one, &two), {&two, &one}}) {
    clear_remote();
    giver->push(GetParam());
    const fs::path saved = third.scratch() / (giver == &one ? "two" : "one");
    fs::copy(taker->home(), saved, fs::copy_options::recursive);
    const auto begin_again = [&, machine = taker] {
      fs::remove_all(machine->home());
      fs::copy(saved, machine->home(), fs::copy_options::recursive);
    };
    const std::vector<std::string> pull = {"pull", GetParam()};
    KillMoments moments([&, machine = taker] { EXPECT_EQ(wait_for(start(*machine, pull)), 0); });
    const std::set<std::string> joined = web_of(*taker);
    begin_again();
    const std::set<std::string> before = web_of(*taker);
    ASSERT_NE(before, joined);
    while (moments.goes_on(KillMoments::count() / 5)) {
      SCOPED_TRACE(moments.trace());
      moments.strike(start(*taker, pull));
      EXPECT_TRUE(taker->verifies());
      const std::set<std::string> web = web_of(*taker);
      EXPECT_TRUE(web == before || web == joined);
      taker->pull(GetParam());
      EXPECT_EQ(web_of(*taker), joined);
      begin_again();
    }
    EXPECT_GT(moments.killed(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Remotes, ShareMoments, testing::ValuesIn(every_remote()),
                         [](const auto& at) { return std::string(at.param); });

TEST_F(Watching, SyncsWhatItIngestsWithARemoteThatWasAgreedOn) {
  const fs::path folder = weft.scratch() / "shared";
  weft.write("home/config.json", R"({"remotes": {"team": {"url": "folder:)" + folder.string() +
                                     R"(", "projects": ["*"], "sync": true}}})");
  append(projects() / "p" / (kOne + ".jsonl"), long_session(kOne).text());
  const auto files = [&] {
    std::error_code error;
    std::size_t all = 0;
    for (fs::directory_iterator at(folder / "conversations", error), end; !error && at != end;
         at.increment(error)) {
      all += at->path().extension() == ".jsonl" ? 1 : 0;
    }
    return all;
  };
  const auto client = watch();
  // Nothing goes by itself.
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_EQ(weft({"push", "--yes"}).exit, 0);
  EXPECT_EQ(files(), 1U);
  append(projects() / "p" / (kTwo + ".jsonl"), short_session(kTwo).text());
  EXPECT_TRUE(becomes_true([&] { return files() == 2; }));
}

}  // namespace
}  // namespace weft::test
