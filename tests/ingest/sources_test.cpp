// The conversations on a machine: found, followed, joined, kept, given back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "program.hpp"
#include "session_for_test.hpp"
#include "web_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kOne = "11111111-1111-4111-8111-111111111111";
const std::string kTwo = "22222222-2222-4222-8222-222222222222";

// Where Claude Code would have put it.
std::string place(const Weft& weft, const std::string& session,
                  const std::string& folder = "-home-ada-looms") {
  const fs::path directory = weft.scratch() / ".claude/projects" / folder;
  fs::create_directories(directory);
  return directory / (session + ".jsonl");
}

void append(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

Session long_session(const std::string& id = kOne) {
  Session session(id);
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    session.human("question " + n);
    session.thinks("thinking about " + n);
    session.calls("a" + n, "Bash", "ls " + n);
    session.calls("b" + n, "Read", "file " + n);
    session.prints("b" + n, "contents " + n);
    session.prints("a" + n, "listing " + n);
    session.thinks("so " + n);
    session.says("answer " + n);
  }
  return session;
}

// Every thought of every conversation, checkpoints and facts aside.
std::set<std::string> web_of(const Weft& weft) {
  std::set<std::string> cids;
  for (const json::value& row : list(weft.json({"list", "--limit", "100000"}), "conversations")) {
    const Ran ran = weft({"export", text(row.get_object(), "cid"), "--as", "thoughts"});
    EXPECT_EQ(ran.exit, 0) << ran;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      const json::object thought = parse_json(line)->value.get_object();
      const std::string type = text(thought, "type");
      if (type != "checkpoint" && !type.ends_with("/conversation_facts")) {
        cids.insert(text(thought, "cid"));
      }
    }
  }
  return cids;
}

// Of several homes: one keyring, so that equal words give equal names.
void share_keyring(const Weft& from, const Weft& to) {
  ASSERT_EQ(from({"init"}).exit, 0);
  fs::create_directories(to.home());
  fs::copy_file(from.home() / "keyring.json", to.home() / "keyring.json");
}

class Sources : public testing::Test {
 protected:
  json::object ingest(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "ingest");
    return weft.json(more);
  }
  std::vector<std::string> reasons(const json::object& report) {
    std::vector<std::string> all;
    for (const json::value& skip : list(report, "skipped")) {
      all.push_back(text(skip.get_object(), "reason"));
    }
    return all;
  }
  void expect_valid() { EXPECT_EQ(weft({"verify"}).exit, 0) << weft({"verify"}); }

  Weft weft;
};

TEST_F(Sources, IngestWithoutArgumentsFindsWhatTheMachineHas) {
  const Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  const json::object report = ingest();
  ASSERT_EQ(list(report, "conversations").size(), 1u);
  EXPECT_EQ(number(report, "files"), 1);
  const json::object row = list(weft.json({"list"}), "conversations").at(0).get_object();
  EXPECT_EQ(text(row, "session_id"), kOne);
  EXPECT_EQ(text(row, "format"), "claude-code");
  EXPECT_EQ(text(row, "project"), "looms");
  EXPECT_EQ(text(row, "cwd"), "/home/ada/looms");
  EXPECT_EQ(number(weft.json({"list", "--project", "looms"}), "total"), 1);
  EXPECT_EQ(weft({"walk", "claude-code:" + kOne}).exit, 0);

  const json::object source = list(weft.json({"sources"}), "sources").at(0).get_object();
  EXPECT_EQ(text(source, "format"), "claude-code");
  EXPECT_EQ(number(source, "files"), 1);
  EXPECT_EQ(number(source, "ingested"), 1);
  EXPECT_EQ(number(source, "bytes"), static_cast<std::int64_t>(session.text().size()));
}

TEST_F(Sources, SecondIngestReadsNothing) {
  append(place(weft, kOne), long_session().text());
  const json::object first = ingest();
  const json::object second = ingest();
  EXPECT_GT(number(first, "bytes"), 0);
  EXPECT_EQ(number(second, "bytes"), 0);
  EXPECT_EQ(number(second, "new_thoughts"), 0);
  ASSERT_EQ(list(second, "conversations").size(), 1u);
  EXPECT_EQ(text(list(second, "conversations").at(0).get_object(), "conversation_cid"),
            text(list(first, "conversations").at(0).get_object(), "conversation_cid"));
}

TEST_F(Sources, AppendedLineIsAllThatIsRead) {
  Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  ingest();
  session.human("one more");
  append(path, session.lines.back() + "\n");
  const json::object report = ingest();
  EXPECT_EQ(number(report, "bytes"), static_cast<std::int64_t>(session.lines.back().size()) + 1);
  EXPECT_GT(number(report, "new_thoughts"), 0);
  expect_valid();
}

// Cut at the end of every line, and in the midst of some.
TEST_F(Sources, FileFedInPiecesGivesTheWebOfTheWholeFile) {
  const std::string text = long_session().text();
  Weft whole;
  share_keyring(weft, whole);
  append(place(whole, kOne), text);
  ASSERT_EQ(whole({"ingest"}).exit, 0);

  const std::string path = place(weft, kOne);
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_midst = i % 977 == 0;
    if (text[i] != '\n' && !in_midst) continue;
    append(path, std::string_view(text).substr(from, i + 1 - from));
    from = i + 1;
    weft({"ingest"});
  }
  EXPECT_EQ(web_of(weft), web_of(whole));
  const Ran restored = weft({"restore", kOne});
  EXPECT_TRUE(restored.out == text);
  expect_valid();
}

TEST_F(Sources, LastLineWithoutItsEndIsTakenIfItIsWholeAndElseWaits) {
  Session session(kOne);
  session.human("why?");
  session.says("because");
  const std::string path = place(weft, kOne);
  append(path, session.lines[0]);
  EXPECT_EQ(list(ingest(), "conversations").size(), 1u);
  append(path, "\n" + session.lines[1].substr(0, 40));
  EXPECT_THAT(reasons(ingest()), ElementsAre(HasSubstr("incomplete")));
  append(path, session.lines[1].substr(40) + "\n");
  const json::object report = ingest();
  EXPECT_TRUE(reasons(report).empty());
  EXPECT_EQ(weft.json({"stats", kOne}).at("by_type").as_object().at("anthropic/response"), 1);
  EXPECT_TRUE(weft({"restore", path}).out == session.text());
}

TEST_F(Sources, WhatWasWovenStaysWhenAFileIsTruncatedReplacedRenamedOrDeleted) {
  const Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  ingest();
  const std::set<std::string> before = web_of(weft);

  std::ofstream(path, std::ios::binary | std::ios::trunc) << session.lines[0] << "\n";
  EXPECT_EQ(number(ingest(), "new_thoughts"), 0);
  EXPECT_EQ(web_of(weft), before);
  EXPECT_TRUE(weft({"restore", path}).out == session.lines[0] + "\n");
  EXPECT_TRUE(weft({"restore", path, "--former"}).out == session.text());

  weft.write("aside", session.text());
  fs::rename(weft.path("aside"), path);  // another file in its place
  EXPECT_EQ(number(ingest(), "new_thoughts"), 0);
  EXPECT_TRUE(weft({"restore", path}).out == session.text());

  const std::string renamed = place(weft, kOne, "-home-ada-renamed");
  fs::rename(path, renamed);
  const json::object report = ingest();
  EXPECT_EQ(number(report, "bytes"), 0);  // known again, and not read
  EXPECT_TRUE(weft({"restore", renamed}).out == session.text());

  fs::remove(renamed);
  ingest();
  EXPECT_EQ(web_of(weft), before);
  EXPECT_TRUE(weft({"restore", kOne}).out == session.text());
  EXPECT_EQ(number(list(weft.json({"sources"}), "sources").at(0).get_object(), "gone"), 1);
  expect_valid();
}

TEST_F(Sources, FileThatIsWrittenAnewAddsWhatItSaysThatIsNew) {
  Session session = long_session();
  const std::string path = place(weft, kOne);
  append(path, session.text());
  ingest();
  session.human("new words");
  weft.write("aside", session.text());
  fs::rename(weft.path("aside"), path);
  EXPECT_GT(number(ingest(), "new_thoughts"), 0);
  EXPECT_TRUE(weft({"restore", path}).out == session.text());
  EXPECT_EQ(weft({"restore", path, "--former"}).exit, 1);  // nothing vanished
  expect_valid();
}

TEST_F(Sources, ForkAddsItsOwnBlocksAndStructureAndNothingElse) {
  Session origin(kOne);
  for (int i = 0; i < 500; ++i) {
    origin.human("question " + std::to_string(i));
    origin.says("answer " + std::to_string(i));
  }
  Session fork(kTwo);
  fork.copy(origin);
  for (int i = 0; i < 5; ++i) {
    fork.human("other question " + std::to_string(i));
    fork.says("other answer " + std::to_string(i));
  }
  append(place(weft, kOne), origin.text());
  ingest();
  append(place(weft, kTwo), fork.text());
  const json::object report = ingest();
  const std::set<std::string> own = [&] {
    std::set<std::string> cids;
    const Ran ran = weft({"export", kTwo, "--as", "thoughts"});
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      const json::object thought = parse_json(line)->value.get_object();
      const std::string type = text(thought, "type");
      if (type.ends_with("/human_input") || type.ends_with("/response"))
        cids.insert(text(thought, "cid"));
    }
    return cids;
  }();
  EXPECT_EQ(own.size(), 1010u);
  const json::object all = weft.json({"stats"}).at("by_type").as_object();
  EXPECT_EQ(all.at("anthropic/human_input"), 1005);  // places count twice, thoughts once
  const json::object continues =
      weft.json({"connections", text(weft.json({"walk", kTwo, "--turn", "0"}), "conversation_cid"),
                 "--relation", "continues"});
  EXPECT_EQ(list(continues, "connections").size(), 1u);
  // Its turns and what holds them, the edges of the new blocks, and the blocks: no copy.
  EXPECT_LT(number(report, "new_thoughts"), 2 * 1010 + 1010 + 100);
  expect_valid();
}

TEST_F(Sources, SubagentIsJoinedToItsCallAndWhyLeadsThere) {
  for (const bool child_first : {false, true}) {
    Weft fresh;
    Session parent(kOne);
    parent.human("find the loom");
    parent.calls("task-1", "Task", "look in the attic");
    parent.prints("task-1", "it is there",
                  json::object{{"agentId", "a7"}, {"status", "completed"}});
    parent.says("in the attic");
    Session child(kOne);
    child.make_subagent("a7");
    child.human("look in the attic");
    child.says("it is there");
    const std::string parent_path = place(fresh, kOne);
    const fs::path folder = fs::path(parent_path).parent_path() / kOne / "subagents";
    const auto write_parent = [&] { append(parent_path, parent.text()); };
    const auto write_child = [&] {
      fs::create_directories(folder);
      append(folder / "agent-a7.jsonl", child.text());
    };
    child_first ? write_child() : write_parent();
    ASSERT_EQ(fresh({"ingest"}).exit, 0);
    child_first ? write_parent() : write_child();
    ASSERT_EQ(fresh({"ingest"}).exit, 0);

    json::object found;
    for (const json::value& row : list(fresh.json({"list"}), "conversations")) {
      if (text(row.get_object(), "source") == "subagent:a7") found = row.get_object();
    }
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(text(found, "session_id"), kOne);
    const std::string cid = text(found, "cid");
    const json::array spawns =
        list(fresh.json({"connections", cid, "--relation", "spawns"}), "connections");
    ASSERT_EQ(spawns.size(), 1u);
    const std::string call = text(spawns.at(0).get_object(), "from");
    EXPECT_EQ(text(fresh.json({"get", call}), "type"), "anthropic/tool_request");

    std::string answer;
    for (const json::value& turn : list(fresh.json({"walk", cid}), "turns")) {
      for (const json::value& thought : list(turn.get_object(), "thoughts")) {
        answer = text(thought.get_object(), "cid");
      }
    }
    std::set<std::string> types;
    for (const json::value& thought : list(fresh.json({"why", answer}), "thoughts")) {
      types.insert(text(thought.get_object(), "type"));
    }
    EXPECT_TRUE(types.contains("anthropic/tool_request"));
    EXPECT_TRUE(types.contains("anthropic/human_input"));  // the person behind it all
    EXPECT_EQ(fresh({"verify"}).exit, 0);
  }
}

TEST_F(Sources, ResultsKeptOutsideTheTranscriptAreTakenFromTheirOneFolder) {
  const auto saved = [](std::string_view name) {
    return "<persisted-output>\nOutput too large. Full output saved to: /x/tool-results/" +
           std::string(name) + "\n\nPreview:\nsome\n</persisted-output>";
  };
  Session session(kOne);
  session.human("list it");
  session.calls("c1", "Bash", "ls -R");
  session.prints("c1", saved("big.txt"));
  session.calls("c2", "Bash", "cat /etc/secret");
  session.prints("c2", saved("../../../outside.txt"));
  const std::string path = place(weft, kOne);
  append(path, session.text());
  Session child(kOne);
  child.make_subagent("a7");
  child.human("look");
  child.calls("c3", "Bash", "find");
  child.prints("c3", saved("deep.txt"));
  const fs::path side = fs::path(path).parent_path() / kOne;
  fs::create_directories(side / "subagents");
  fs::create_directories(side / "tool-results");
  append(side / "subagents/agent-a7.jsonl", child.text());
  append(side / "tool-results/big.txt", "the whole of it");
  append(side / "tool-results/deep.txt", "found by the subagent");
  append(weft.path("outside.txt"), "nobody's business");
  ingest();
  std::set<std::string> texts;
  for (const json::value& row : list(weft.json({"list"}), "conversations")) {
    for (const json::value& turn :
         list(weft.json({"walk", text(row.get_object(), "cid")}), "turns")) {
      for (const json::value& thought : list(turn.get_object(), "thoughts")) {
        if (text(thought.get_object(), "type") != "anthropic/attachment") continue;
        texts.insert(text(thought.get_object().at("content").as_object(), "text"));
      }
    }
  }
  EXPECT_EQ(texts, (std::set<std::string>{"the whole of it", "found by the subagent"}));
}

TEST_F(Sources, SourcesPatternsAndConfigurationChoose) {
  Session looms = long_session(kOne), boats = long_session(kTwo);
  fs::create_directories(weft.scratch() / "elsewhere/-home-ada-looms");
  fs::create_directories(weft.scratch() / "elsewhere/-srv-boats");
  const std::string first =
      weft.write("elsewhere/-home-ada-looms/" + kOne + ".jsonl", looms.text());
  std::string other = boats.text();
  for (std::size_t at; (at = other.find("/home/ada/looms")) != std::string::npos;) {
    other.replace(at, 15, "/srv/boats");
  }
  weft.write("elsewhere/-srv-boats/" + kTwo + ".jsonl", other);
  const std::string source = "claude-code:" + weft.path("elsewhere");

  const json::object chosen = ingest({"--source", source, "--pattern", "loo*"});
  EXPECT_EQ(list(chosen, "conversations").size(), 1u);
  EXPECT_THAT(reasons(chosen), ElementsAre("other project"));

  weft.write("home/config.json", R"({"exclude": ["boats"]})");
  EXPECT_EQ(list(ingest({"--source", source}), "conversations").size(), 1u);
  weft.write("home/config.json",
             R"({"include": [")" + weft.path("elsewhere/-srv-boats") + R"("]})");
  const json::object included = ingest({"--source", source});
  ASSERT_EQ(list(included, "conversations").size(), 1u);
  EXPECT_EQ(text(list(included, "conversations").at(0).get_object(), "session_id"), kTwo);
  weft.write("home/config.json", R"({"inclde": []})");
  const Ran wrong = weft({"ingest", "--source", source});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_THAT(wrong.err, HasSubstr("inclde"));
  weft.write("home/config.json", R"({"human": "Grace", "subagents": false})");
  ingest({"--source", source});
  // A project's name is its own, whatever else there is.
  EXPECT_EQ(number(weft.json({"list", "--project", "boats"}), "total"), 1);
}

TEST_F(Sources, ArchiveAndNamesOfFilesAreSealed) {
  Session session(kOne);
  session.human("plain words");
  session.thinks("zanzibar reasoning");
  session.calls("c", "Bash", "ls");
  append(place(weft, kOne, "-quokka-folder"), session.text());
  ingest();
  for (const fs::directory_entry& file : fs::directory_iterator(weft.home())) {
    const std::string bytes = read_text(file.path());
    EXPECT_EQ(bytes.find("zanzibar"), std::string::npos) << file.path();
    EXPECT_EQ(bytes.find("quokka-folder"), std::string::npos) << file.path();
  }
  // Restoring takes the content key.
  const Ran metadata = weft({"keys", "export", "--layer", "metadata"});
  const std::string keys = weft.write("metadata.json", metadata.out);
  fs::permissions(keys, fs::perms::owner_read | fs::perms::owner_write);
  const Ran refused = weft({"restore", kOne, "--keys", keys});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_EQ(refused.out, "");
  const Ran content = weft({"keys", "export", "--layer", "content"});
  const std::string opening = weft.write("content.json", content.out);
  fs::permissions(opening, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(weft({"restore", kOne, "--keys", opening}).out == session.text());
}

TEST_F(Sources, TwoProcessesAtTheSameGrowingFileLoseNothing) {
  Session session = long_session();
  const std::string path = place(weft, kOne);
  ASSERT_EQ(weft({"init"}).exit, 0);
  std::vector<std::jthread> writers;
  std::atomic<bool> done = false;
  for (int i = 0; i < 2; ++i) {
    writers.emplace_back([&] {
      while (!done) weft({"ingest"});
    });
  }
  for (const std::string& line : session.lines) {
    append(path, line + "\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
  }
  done = true;
  writers.clear();
  ingest();
  EXPECT_TRUE(weft({"restore", kOne}).out == session.text());
  Weft whole;
  share_keyring(weft, whole);
  append(place(whole, kOne), session.text());
  ASSERT_EQ(whole({"ingest"}).exit, 0);
  EXPECT_EQ(web_of(weft), web_of(whole));
  expect_valid();
}

}  // namespace
}  // namespace weft::test
