// weft watch: ingesting while files grow gives the web of a cold ingest, whatever happens to the
// files and to weft.
#include <gmock/gmock.h>
#include <signal.h>

#include <atomic>
#include <random>

#include "watch_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;

// Every kind of block, characters of one to four bytes, and line ends of both kinds.
std::string small_session(const std::string& id) {
  Session session(id);
  session.human("Où est le métier à tisser " + id + "?");  // else all would be forks of one
  session.thinks("日本");
  session.calls("t1", "Bash", "ls 🧵");
  session.prints("t1", "loom");
  session.says("Là.");
  std::string text;
  for (std::size_t i = 0; i < session.lines.size(); ++i) {
    text += session.lines[i] + (i % 2 == 0 ? "\r\n" : "\n");
  }
  return text;
}

// The web is the same whether records are woven in one commit or in two.
TEST_F(Watching, ASessionInTwoPiecesCutAnywhereIsTheWebOfTheWhole) {
  const std::size_t size = small_session(session_name(0)).size();
  ASSERT_LT(size, 4'000u);
  const auto client = watch();
  // As many sessions as there are places to cut, each cut at its own.
  for (std::size_t cut = 1; cut < size; ++cut) {
    const std::string name = session_name(static_cast<int>(cut));
    append(projects() / "-p" / (name + ".jsonl"), small_session(name).substr(0, cut));
  }
  // All that can be woven of the pieces is: the last one lacks its line end alone.
  const std::set<Cid> pieces = cold_web(projects());
  EXPECT_TRUE(becomes_true([&] { return web() == pieces; }));
  for (std::size_t cut = 1; cut < size; ++cut) {
    const std::string name = session_name(static_cast<int>(cut));
    append(projects() / "-p" / (name + ".jsonl"), small_session(name).substr(cut));
  }
  fs::remove_all(weft.scratch() / "cold");
  expect_web(cold_web(projects()));
  expect_clean_end(*client);  // though nobody has read its output, and the pipe is full
}

TEST_F(Watching, AFileThatIsCutReplacedRotatedOrMadeAnewDoublesAndLosesNothing) {
  Session one(session_name(1)), other(session_name(1));
  one.human("first"), one.says("answer"), one.human("second"), one.says("more");
  other.copy(one);
  other.human("another way on"), other.says("fine");
  const fs::path file = projects() / "-p" / (one.id() + ".jsonl");
  const fs::path snapshots = weft.scratch() / "snapshots";
  const fs::path copy = snapshots / "-p" / file.filename();
  std::set<Cid> expected;
  const auto client = watch();
  // What there was, step by step, is what a cold weft is shown.
  const auto step = [&](const char* what, const std::string& bytes) {
    SCOPED_TRACE(what);
    fs::create_directories(copy.parent_path());
    std::ofstream(copy, std::ios::binary | std::ios::trunc) << bytes;
    if (!bytes.empty()) expected = cold_web(snapshots);
    expect_web(expected);
  };
  const auto lines = [](const Session& session, std::size_t from, std::size_t to) {
    std::string text;
    for (std::size_t i = from; i < to; ++i) text += session.lines[i] + "\n";
    return text;
  };
  append(file, lines(one, 0, 3));
  step("begun", lines(one, 0, 3));
  fs::resize_file(file, lines(one, 0, 1).size() + 5);
  step("cut within a line", lines(one, 0, 1) + lines(one, 1, 2).substr(0, 5));
  append(file, (lines(one, 1, 2)).substr(5) + lines(one, 2, 4));
  step("written on", lines(one, 0, 4));
  fs::resize_file(file, 0);
  append(file, lines(one, 0, 2));
  step("begun anew", lines(one, 0, 2));
  append(weft.scratch() / "aside", other.text());
  fs::rename(weft.scratch() / "aside", file);
  step("replaced", other.text());
  fs::rename(file, file.string() + ".1");
  append(file, lines(one, 0, 4));
  append(copy.string() + ".1", other.text());
  step("rotated", lines(one, 0, 4));
  fs::remove(file);
  append(file, other.text());
  step("deleted and made anew", other.text());
  expect_clean_end(*client, SIGINT);
}

TEST_F(Watching, NewProjectsAndSubagentsAreNoticedAndJoined) {
  const auto client = watch();
  Session main(session_name(1)), agent(session_name(1));
  main.human("look around"), main.thinks("send one"), main.calls("call1", "Task", "look");
  agent.make_subagent("a1");
  agent.human("look"), agent.says("there is a loom");
  const fs::path folder = projects() / "-home-ada-looms";
  append(folder / (main.id() + ".jsonl"), main.text());
  const json::object grew = client->next();
  EXPECT_EQ(text(grew, "event"), "grew");
  EXPECT_EQ(text(grew, "session_id"), main.id());
  EXPECT_EQ(text(grew, "format"), "claude-code");
  EXPECT_EQ(text(grew, "project"), "looms");
  EXPECT_EQ(text(grew, "title"), "look around");
  EXPECT_EQ(number(grew, "new_thoughts"), number(grew, "thought_count"));
  const fs::path beside = folder / main.id() / "subagents";
  append(beside / "agent-a1.jsonl", agent.lines[0] + "\n");
  EXPECT_EQ(text(client->next(), "source"), "subagent:a1");
  // Its last record names its session.
  append(beside / "agent-a1.jsonl", agent.lines[1] + "\n");
  append(beside / "agent-a1.meta.json", R"({"agentType":"x","toolUseId":"call1"})");
  expect_web(cold_web(projects()));
  const json::object conversations = weft.json({"list"});
  EXPECT_EQ(number(conversations, "total"), 2);
  expect_clean_end(*client);
}

// The directory of a session is in a record that may come after the first ones were ingested.
TEST_F(Watching, AProjectThatIsNamedLateIsTheProjectAllTheSame) {
  const auto client = watch();
  Session session(session_name(1));
  session.human("where are we?"), session.says("among looms");
  json::value first = parse_json(session.lines[0])->value;
  first.get_object().erase("cwd");
  const fs::path file = projects() / "-home-ada-looms" / (session.id() + ".jsonl");
  append(file, canonical_json(first) + "\n");
  EXPECT_EQ(text(client->next(), "project"), "home-ada-looms");
  append(file, session.lines[1] + "\n");
  EXPECT_EQ(text(client->next(), "project"), "looms");
  expect_web(cold_web(projects()));
  expect_clean_end(*client);
}

TEST_F(Watching, WhatIsAppendedIsToldAsALineForPeople) {
  Session session(session_name(1));
  session.human("warp and weft");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  std::vector<std::string> plain = words("watch");
  std::erase(plain, "--json");
  StdioClient client(WEFT_BINARY, plain, weft.environment);
  ASSERT_TRUE(becomes_true([&] { return !web().empty(); }));
  // Existing sources are not reported, so the test writes until the first report shows that it
  // follows.
  std::thread writer([&] {
    for (int i = 0; i < 100; ++i) {
      Session more(session_name(100 + i));
      more.human("a shuttle");
      append(projects() / "-p" / (more.id() + ".jsonl"), more.text());
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  writer.join();
  client.kill(SIGTERM);
  const std::vector<std::string> lines = client.rest();
  EXPECT_EQ(client.wait(), 0);
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.back(), HasSubstr("  claude-code  looms  a shuttle  +"));
  EXPECT_THAT(lines.back(), HasSubstr(" thoughts"));
}

TEST_F(Watching, KilledAtTwentyMomentsNothingIsLostAndNothingDoubled) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<Session> sessions;
  for (int i = 0; i < 5; ++i) sessions.emplace_back(session_name(i + 1));
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    for (int round = 0; !is_over; ++round) {
      for (Session& session : sessions) {
        session.human("prompt " + std::to_string(round) + " of " + session.id());
        session.thinks("hm " + std::to_string(round));
        session.says("answer " + std::to_string(round));
        std::string text;
        for (std::size_t i = session.lines.size() - 3; i < session.lines.size(); ++i) {
          text += session.lines[i] + "\n";
        }
        const fs::path file = projects() / "-p" / (session.id() + ".jsonl");
        append(file, text.substr(0, text.size() / 2));
        append(file, text.substr(text.size() / 2));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
  });
  for (int killed = 0; killed < 20; ++killed) {
    StdioClient client(WEFT_BINARY, words("watch"), weft.environment);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
    client.kill(SIGKILL);
    EXPECT_EQ(client.wait(), -SIGKILL);
  }
  is_over = true;
  writer.join();
  EXPECT_EQ(weft({"ingest", "--source", "claude-code:" + projects().string()}).exit, 0);
  expect_web(cold_web(projects()));
}

TEST_F(Watching, TheNextOneGoesOnWhenTheFirstIsKilled) {
  const auto first = watch();
  StdioClient second(WEFT_BINARY, words("watch"), weft.environment);
  EXPECT_EQ(text(second.next(), "event"), "waiting");
  Session session(session_name(1));
  session.human("who takes this in?");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  // The waiting one reports it, too.
  EXPECT_EQ(text(first->next(), "session_id"), session.id());
  EXPECT_EQ(text(second.next(), "session_id"), session.id());
  first->kill(SIGKILL);
  EXPECT_EQ(first->wait(), -SIGKILL);
  EXPECT_EQ(text(second.next(), "event"), "following");
  session.says("the other one");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.lines[1] + "\n");
  EXPECT_EQ(text(second.next(), "event"), "grew");
  expect_web(cold_web(projects()));
  expect_clean_end(second);
}

TEST_F(Watching, WhoFollowsSomethingElseDoesNotWait) {
  const auto first = watch();
  const fs::path other = weft.scratch() / "other";
  fs::create_directories(other);
  StdioClient second(WEFT_BINARY, {"watch", "--json", "--source", "claude-code:" + other.string()},
                     weft.environment);
  EXPECT_EQ(text(second.next(), "event"), "following");
  Session session(session_name(1));
  session.human("in the other folder");
  append(other / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_EQ(text(second.next(), "session_id"), session.id());
  // Whoever took it in: it grew.
  EXPECT_EQ(text(first->next(), "session_id"), session.id());
  expect_clean_end(*first);
  expect_clean_end(second);
}

TEST_F(Watching, WhenNothingHappensNothingWakesUp) {
  Session session(session_name(1));
  session.human("quiet");
  const auto client = watch();
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_EQ(text(client->next(), "event"), "grew");
  EXPECT_TRUE(comes_to_rest(client->pid()));
  session.says("not any more");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.lines[1] + "\n");
  EXPECT_EQ(text(client->next(), "event"), "grew");
  expect_clean_end(*client);
}

TEST_F(Watching, WithoutWatchesItLooksEverySecondAndSaysSo) {
  std::vector<std::string> limited = words("watch");
  limited.insert(limited.end(), {"--most-watches", "0"});
  const std::string err = weft.path("stderr");
  limited.insert(limited.begin(), {"-c", "exec \"$0\" \"$@\" 2>'" + err + "'", WEFT_BINARY});
  StdioClient client("/bin/bash", limited, weft.environment);
  EXPECT_EQ(text(client.next(), "event"), "following");
  std::ifstream errors(err);
  std::string line;
  std::getline(errors, line);
  EXPECT_THAT(line, HasSubstr("1 folder polled every second"));
  Session session(session_name(1));
  session.human("seen by looking");
  append(projects() / "-p" / (session.id() + ".jsonl"), session.text());
  EXPECT_EQ(text(client.next(), "event"), "grew");
  expect_clean_end(client);
}

}  // namespace
}  // namespace weft::test
