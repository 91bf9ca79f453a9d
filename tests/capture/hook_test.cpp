// weft hook as an agent calls it: it ingests what has grown, and never delays the agent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "program.hpp"
#include "session_for_test.hpp"
#include "stdio_client.hpp"
#include "weft/base/file.hpp"
#include "weft/base/file_lock.hpp"
#include "weft/store/open.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kId = "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0001";

class Hooked : public testing::Test {
 protected:
  Hooked() : session_(std::string(kId)) {
    fs::create_directories(projects());
    session_.human("why is it slow?");
    session_.thinks("zanzibar");
    session_.says("The loop.");
    save();
  }
  fs::path projects() const { return weft_.scratch() / ".claude/projects/-home-ada-looms"; }
  fs::path transcript() const { return projects() / (std::string(kId) + ".jsonl"); }
  void save() const { std::ofstream(transcript(), std::ios::binary) << session_.text(); }
  static std::string event(std::string_view name, const fs::path& path, json::object more = {}) {
    json::object event{{"session_id", kId},
                       {"transcript_path", path.string()},
                       {"cwd", "/home/ada/looms"},
                       {"hook_event_name", name}};
    for (auto& member : more) event[member.key()] = member.value();
    return canonical_json(event);
  }
  Ran hook(std::string_view input, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), "hook");
    return weft_(arguments, input);
  }
  void expect_quiet(const Ran& ran) const {
    EXPECT_EQ(ran.exit, 0) << ran;
    EXPECT_EQ(ran.out, "") << ran;
  }
  // One line with the reason.
  void expect_refused(const Ran& ran) const {
    expect_quiet(ran);
    EXPECT_THAT(ran.err, testing::StartsWith("weft: ")) << ran;
    EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran;
  }
  std::string shown() const { return weft_({"transcript", std::string(kId)}).out; }
  // The worker continues after the hook has ended.
  static bool comes_true(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
  }
  bool is_shown(std::string_view words) const {
    return comes_true([&] { return shown().find(words) != std::string::npos; });
  }
  bool has_work() const {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(weft_.home() / "hooks", failed)) {
      if (entry.path().filename().string().size() >= 64) return true;
    }
    return false;
  }
  void expect_no_failures() const {
    EXPECT_EQ(read_file(weft_.home() / "hook.log").value_or(""), "");
  }

  Weft weft_;
  Session session_;
};

TEST_F(Hooked, WhatIsNewIsTakenInAtEachCall) {
  expect_quiet(hook(event("UserPromptSubmit", transcript())));
  EXPECT_TRUE(is_shown("The loop."));
  session_.human("and now?");
  save();
  const Ran ran = hook(event("Stop", transcript()));
  expect_quiet(ran);
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(is_shown("and now?"));
  EXPECT_TRUE(comes_true([&] { return !has_work(); }));
  expect_no_failures();
}

TEST_F(Hooked, SubagentsAreJoinedAndTheWebIsThatOfAColdIngest) {
  Session agent{std::string(kId)};
  agent.make_subagent("a1");
  session_.calls("t1", "Task", "look around");
  save();
  expect_quiet(hook(event("PostToolUse", transcript())));
  agent.human("look around");
  agent.says("Nothing here.");
  const fs::path file = projects() / kId / "subagents/agent-a1.jsonl";
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << agent.text();
  session_.prints("t1", "Nothing here.", json::object{{"agentId", "a1"}});
  save();
  expect_quiet(
      hook(event("SubagentStop", transcript(), {{"agent_transcript_path", file.string()}})));
  session_.says("So there is nothing.");
  save();
  expect_quiet(hook(event("Stop", transcript())));
  EXPECT_TRUE(is_shown("So there is nothing."));
  EXPECT_TRUE(is_shown("[subagent:a1]"));
  EXPECT_TRUE(comes_true([&] { return !has_work(); }));
  expect_no_failures();

  const std::string cold = weft_.path("cold.db");
  ASSERT_EQ(weft_({"ingest", "--store", "sqlite:" + cold}).exit, 0);
  const auto live_store = store::open_store((weft_.home() / "weft.db").string(), store::Create::no);
  const auto cold_store = store::open_store(cold, store::Create::no);
  ASSERT_TRUE(live_store && cold_store);
  EXPECT_EQ(store::web_of(**live_store), store::web_of(**cold_store));
  const json::object verified = weft_.json({"verify"});
  EXPECT_TRUE(list(verified, "bad").empty());
}

TEST_F(Hooked, WhatCannotBeTakenInIsSaidOnStderrAndNothingElseHappens) {
  const fs::path outside = weft_.scratch() / "outside.jsonl";
  std::ofstream(outside) << session_.text();
  fs::create_symlink(outside, projects() / "link.jsonl");
  for (const std::string& input : std::vector<std::string>{
           "", "   \n", "nonsense", "[]", "\"x\"", "{}", "{\"transcript_path\":5}",
           "{\"transcript_path\":\"\"}", "{\"transcript_path\":", "\xff\xfe{}",
           event("Stop", "relative.jsonl"), event("Stop", projects() / "nothing.jsonl"),
           event("Stop", outside), event("Stop", "/etc/passwd"),
           event("Stop", projects() / "link.jsonl"),
           event("Stop", projects() / "../../../outside.jsonl"),
           event("Stop", std::string(5000, 'x'))}) {
    SCOPED_TRACE(input.substr(0, 200));
    expect_refused(hook(input));
    EXPECT_FALSE(fs::exists(weft_.home() / "weft.db"));
  }
  EXPECT_THAT(hook("{\"zanzibar\":").err, Not(HasSubstr("zanzibar")));
  expect_refused(hook(event("Stop", transcript()), {"--bogus"}));
  expect_refused(hook(event("Stop", transcript()), {"--json", "--home", "/proc/nowhere"}));
}

TEST_F(Hooked, NothingIsWaitedForThatNeverComes) {
  StdioClient silent(WEFT_BINARY, {"hook"}, weft_.environment);
  EXPECT_EQ(silent.wait(), 0);
  StdioClient open(WEFT_BINARY, {"hook"}, weft_.environment);
  open.write(event("Stop", transcript()));
  EXPECT_EQ(open.wait(), 0);
  EXPECT_TRUE(is_shown("The loop.")) << "all was said, though the pipe stayed open";
  const Ran huge = run_program(
      "/bin/sh",
      {"-c", std::string("head -c 70000000 /dev/zero 2>&- | '") + WEFT_BINARY + "' hook"},
      weft_.environment);
  expect_refused(huge);
}

TEST_F(Hooked, ItEndsWellWithoutAnyoneWhoReadsWhatItSays) {
  const std::string command = std::string("echo nonsense | '") + WEFT_BINARY + "' hook >&- 2>&-";
  EXPECT_EQ(run_program("/bin/sh", {"-c", command}, weft_.environment).exit, 0);
  StdioClient deaf(WEFT_BINARY, {"hook"}, weft_.environment, StdioClient::Stderr::closed);
  deaf.write("nonsense");
  deaf.close_stdin();
  EXPECT_EQ(deaf.wait(), 0);
}

TEST_F(Hooked, AFullDiskStopsNobody) {
  weft_.write("event", event("Stop", transcript()));
  const std::string command =
      std::string("ulimit -f 0; '") + WEFT_BINARY + "' hook <'" + weft_.path("event") + "'";
  expect_refused(run_program("/bin/sh", {"-c", command}, weft_.environment));
}

TEST_F(Hooked, ALockedStoreIsWaitedForByTheWorkerAlone) {
  ASSERT_EQ(weft_({"ingest"}).exit, 0);
  sqlite3* database = nullptr;
  ASSERT_EQ(::sqlite3_open((weft_.home() / "weft.db").c_str(), &database), SQLITE_OK);
  ASSERT_EQ(::sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  session_.human("still there?");
  save();
  const Ran ran = hook(event("Stop", transcript()));
  expect_quiet(ran);
  EXPECT_THAT(shown(), Not(HasSubstr("still there?")));
  ASSERT_EQ(::sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr), SQLITE_OK);
  ::sqlite3_close(database);
  EXPECT_TRUE(is_shown("still there?"));
}

TEST_F(Hooked, AStoreThatIsNoneIsToldByTheDoctor) {
  fs::create_directories(weft_.home());
  std::ofstream(weft_.home() / "weft.db") << "this is no database, it is a poem";
  expect_quiet(hook(event("Stop", transcript())));
  const fs::path log = weft_.home() / "hook.log";
  ASSERT_TRUE(comes_true([&] { return fs::exists(log); }));
  EXPECT_THAT(read_file(log).value(), HasSubstr("weft.db"));
  EXPECT_THAT(read_file(log).value(), Not(HasSubstr("zanzibar")));
  EXPECT_THAT(weft_({"doctor"}).out, HasSubstr("hook.log"));
  // The next one succeeds, and ingests what this one could not.
  fs::remove(weft_.home() / "weft.db");
  expect_quiet(hook(event("Stop", transcript())));
  EXPECT_TRUE(is_shown("The loop."));
  EXPECT_TRUE(
      comes_true([&] { return weft_({"doctor"}).out.find("hook.log") == std::string::npos; }));
}

TEST_F(Hooked, APassphraseIsAskedOfNobody) {
  fs::permissions(weft_.write("passphrase", "open sesame\n"), fs::perms(0600));
  weft_.environment["WEFT_PASSPHRASE_FILE"] = weft_.path("passphrase");
  ASSERT_EQ(weft_({"init", "--passphrase"}).exit, 0);
  weft_.environment.erase("WEFT_PASSPHRASE_FILE");
  expect_quiet(hook(event("Stop", transcript())));
  const fs::path log = weft_.home() / "hook.log";
  ASSERT_TRUE(comes_true([&] { return fs::exists(log); }));
  EXPECT_THAT(read_file(log).value(), HasSubstr("WEFT_PASSPHRASE_FILE"));
  weft_.environment["WEFT_PASSPHRASE_FILE"] = weft_.path("passphrase");
  expect_quiet(hook(event("Stop", transcript())));
  EXPECT_TRUE(is_shown("The loop."));
}

TEST_F(Hooked, WhoeverFollowsTheSourcesIsLeftToIt) {
  ASSERT_EQ(weft_({"init"}).exit, 0);
  const Result<FileLock> watcher = FileLock::try_acquire(weft_.home() / "weft.db.lock");
  ASSERT_TRUE(watcher);
  const Ran ran = hook(event("Stop", transcript()));
  expect_quiet(ran);
  EXPECT_EQ(ran.err, "");
  EXPECT_FALSE(fs::exists(weft_.home() / "hooks"));
}

// Processes of weft with this home.
int count_processes(const fs::path& home) {
  int found = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::error_code failed;
    const fs::path program = fs::read_symlink(entry.path() / "exe", failed);
    if (program == WEFT_BINARY && text.find(home.string()) != std::string::npos) ++found;
  }
  return found;
}

TEST_F(Hooked, OfManyAtOnceOneWorksAndOneWaitsAndNothingIsMissed) {
  ASSERT_EQ(weft_({"init"}).exit, 0);
  fs::create_directories(weft_.home() / "hooks");
  {
    // As if a worker were at it.
    const Result<FileLock> running = FileLock::try_acquire(weft_.home() / "hooks/running");
    ASSERT_TRUE(running);
    for (int i = 0; i < 20; ++i) {
      session_.human("question " + std::to_string(i));
      session_.says("answer " + std::to_string(i));
      save();
      expect_quiet(hook(event("PostToolUse", transcript())));
    }
    EXPECT_EQ(count_processes(weft_.home()), 1) << "the one that waits";
  }
  EXPECT_TRUE(is_shown("answer 19"));
  EXPECT_TRUE(comes_true([&] { return count_processes(weft_.home()) == 0; }));
  EXPECT_FALSE(has_work());
  const std::string all = shown();
  for (int i = 0; i < 20; ++i) EXPECT_THAT(all, HasSubstr("question " + std::to_string(i)));
  expect_no_failures();
}

TEST_F(Hooked, WhatAWorkerDiedAtIsTakenUpByTheNext) {
  ASSERT_EQ(weft_({"init"}).exit, 0);
  const std::string other = "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0002";
  Session left(other);
  left.human("left lying");
  std::ofstream(projects() / (other + ".jsonl")) << left.text();
  {
    const Result<FileLock> running = [&] {
      fs::create_directories(weft_.home() / "hooks");
      return FileLock::try_acquire(weft_.home() / "hooks/running");
    }();
    ASSERT_TRUE(running);
    expect_quiet(hook(event("Stop", projects() / (other + ".jsonl"))));
    for (const auto& entry : fs::directory_iterator(weft_.home() / "hooks")) {
      if (entry.path().filename().string().size() != 64) continue;
      fs::rename(entry.path(), entry.path().string() + ".now");
      break;
    }
  }
  expect_quiet(hook(event("Stop", transcript())));
  EXPECT_TRUE(is_shown("The loop."));
  EXPECT_TRUE(comes_true(
      [&] { return weft_({"transcript", other}).out.find("left lying") != std::string::npos; }));
}

}  // namespace
}  // namespace weft::test
