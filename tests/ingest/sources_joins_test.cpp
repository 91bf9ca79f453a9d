// Ingest of several files together: forks, subagents, results in other files, selection, sealing.
#include <atomic>

#include "sources_for_test.hpp"

namespace weft::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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
  EXPECT_EQ(all.at("anthropic/human_input"), 505);  // copied places count once
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
