// OpenCode's stores: a database whose rows change in place, and the files that were before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "program.hpp"
#include "web_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

class OpenCodeStore : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { sqlite3_close(database_); }

  void open() {
    ASSERT_EQ(sqlite3_open((folder_ / "opencode.db").c_str(), &database_), SQLITE_OK);
    run("PRAGMA journal_mode=WAL;"
        "CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT,"
        " directory TEXT, title TEXT, version TEXT, revert TEXT, time_created INTEGER,"
        " time_updated INTEGER);"
        "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,"
        " time_updated INTEGER, data TEXT);"
        "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,"
        " time_created INTEGER, time_updated INTEGER, data TEXT);"
        "CREATE TABLE account (access_token TEXT);"
        "INSERT INTO account VALUES ('hunter2-credential');");
  }
  void run(const std::string& sql) {
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
  void session(const std::string& id, const std::string& parent = "NULL") {
    run("INSERT INTO session VALUES ('" + id + "', 'global', " + parent +
        ", 'x', '/srv/loom', 'Looms', '1.2.0', NULL, 1, 2)");
  }
  void message(const std::string& id, const std::string& session, int time,
               const std::string& data) {
    run("INSERT OR REPLACE INTO message VALUES ('" + id + "', '" + session + "', " +
        std::to_string(time) + ", " + std::to_string(++clock_) + ", '" + data + "')");
  }
  void part(const std::string& id, const std::string& message, const std::string& session,
            const std::string& data) {
    run("INSERT OR REPLACE INTO part VALUES ('" + id + "', '" + message + "', '" + session +
        "', 1, " + std::to_string(++clock_) + ", '" + data + "')");
  }
  void write(const std::string& name, std::string_view text) {
    const fs::path path = folder_ / "storage" / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    // Later than whatever was there before.
    fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds(++clock_));
  }

  json::object ingest() { return weft.json({"ingest"}); }
  // How many thoughts of each kind there are in all conversations.
  std::map<std::string, int> kinds() {
    std::map<std::string, int> count;
    for (const json::value& row : list(weft.json({"list", "--limit", "100"}), "conversations")) {
      const Ran ran = weft({"export", text(row.get_object(), "cid"), "--as", "thoughts"});
      EXPECT_EQ(ran.exit, 0) << ran;
      std::istringstream lines(ran.out);
      for (std::string line; std::getline(lines, line);) {
        const json::object thought = parse_json(line)->value.get_object();
        const std::string type = text(thought, "type");
        if (type == "connection") {
          ++count[text(thought.at("content").as_object(), "relation")];
        } else if (type.starts_with("opencode/")) {
          ++count[type.substr(9)];
        }
      }
    }
    return count;
  }

  Weft weft;
  fs::path folder_ = weft.scratch() / ".local/share/opencode";
  sqlite3* database_ = nullptr;
  int clock_ = 100;
};

TEST_F(OpenCodeStore, RowsThatChangeInPlaceAreReadAgainAndNothingIsDoubled) {
  open();
  session("ses_1");
  message("msg_1", "ses_1", 10, R"({"role":"user","time":{"created":10}})");
  part("prt_1", "msg_1", "ses_1", R"({"type":"text","text":"where is the loom?"})");
  message("msg_2", "ses_1", 11, R"({"role":"assistant","modelID":"m","time":{"created":11}})");
  part(
      "prt_2", "msg_2", "ses_1",
      R"({"type":"tool","tool":"bash","callID":"c1","state":{"status":"running","input":{"command":"find"},"time":{"start":12}}})");
  EXPECT_EQ(list(ingest(), "conversations").size(), 1u);
  const json::object row = list(weft.json({"list"}), "conversations").at(0).get_object();
  EXPECT_EQ(text(row, "format"), "opencode");
  EXPECT_EQ(text(row, "session_id"), "ses_1");
  EXPECT_EQ(text(row, "project"), "loom");
  EXPECT_EQ(text(row, "title"), "Looms");
  EXPECT_EQ(kinds()["tool_request"], 1);
  EXPECT_EQ(kinds()["tool_result"], 0);
  EXPECT_EQ(number(ingest(), "bytes"), 0);

  part(
      "prt_2", "msg_2", "ses_1",
      R"({"type":"tool","tool":"bash","callID":"c1","state":{"status":"completed","input":{"command":"find"},"output":"in the attic","time":{"start":12,"end":13}}})");
  part("prt_3", "msg_2", "ses_1",
       R"({"type":"text","text":"In the attic.","time":{"start":14,"end":15}})");
  message("msg_2", "ses_1", 11,
          R"({"role":"assistant","modelID":"m","time":{"created":11,"completed":16}})");
  const json::object second = ingest();
  EXPECT_GT(number(second, "bytes"), 0);
  auto count = kinds();
  EXPECT_EQ(count["human_input"], 1);
  EXPECT_EQ(count["tool_request"], 1);  // the same, though its part is another
  EXPECT_EQ(count["tool_result"], 1);
  EXPECT_EQ(count["response"], 1);
  EXPECT_EQ(count["turn"], 2);
  EXPECT_EQ(number(ingest(), "new_thoughts"), 0);
  EXPECT_EQ(weft({"verify"}).exit, 0);
  for (const fs::directory_entry& file : fs::directory_iterator(weft.home())) {
    EXPECT_EQ(read_text(file.path()).find("hunter2"), std::string::npos);
  }
}

TEST_F(OpenCodeStore, GoneItIsWovenAgainFromTheArchive) {
  open();
  session("ses_1");
  message("msg_1", "ses_1", 10, R"({"role":"user","time":{"created":10}})");
  part("prt_1", "msg_1", "ses_1", R"({"type":"text","text":"where is the loom?"})");
  ingest();
  const auto before = kinds();
  EXPECT_EQ(number(weft.json({"reweave", "--all"}), "new_thoughts"), 0);
  sqlite3_close(std::exchange(database_, nullptr));
  fs::remove_all(folder_);
  const json::object report = weft.json({"reweave", "--all"});
  EXPECT_EQ(list(report, "skipped").size(), 0u);
  EXPECT_EQ(list(report, "conversations").size(), 1u);
  EXPECT_EQ(number(report, "new_thoughts"), 0);
  EXPECT_EQ(kinds(), before);
}

TEST_F(OpenCodeStore, SubagentsAreJoinedToTheirCalls) {
  open();
  session("ses_1");
  session("ses_2", "'ses_1'");
  session("ses_3", "'ses_2'");
  const auto task = [&](const std::string& n, const std::string& of, const std::string& child) {
    message("msg_" + n, of, 10, R"({"role":"assistant","modelID":"m","time":{"created":10}})");
    part(
        "prt_" + n, "msg_" + n, of,
        R"({"type":"tool","tool":"task","callID":"call_)" + n +
            R"(","state":{"status":"completed","input":{"prompt":"go"},"output":"gone","metadata":{"sessionId":")" +
            child + R"("}}})");
  };
  task("1", "ses_1", "ses_2");
  task("2", "ses_2", "ses_3");
  message("msg_3", "ses_3", 10, R"({"role":"user","time":{"created":10}})");
  part("prt_3", "msg_3", "ses_3", R"({"type":"text","text":"go"})");
  EXPECT_EQ(list(ingest(), "conversations").size(), 3u);
  auto count = kinds();
  EXPECT_EQ(count["spawns"], 2);
  EXPECT_EQ(count["human_input"], 0);
  EXPECT_EQ(count["system_input"], 1);
}

TEST_F(OpenCodeStore, TheStoreOfTwoIsReadBesideTheOneItWasMadeFrom) {
  open();
  session("ses_1");
  message("msg_0", "ses_1", 10, R"({"role":"user","time":{"created":10}})");
  part("prt_0", "msg_0", "ses_1", R"({"type":"text","text":"before"})");
  message("msg_1", "ses_1", 20, R"({"role":"user","time":{"created":20}})");
  part("prt_1", "msg_1", "ses_1", R"({"type":"text","text":"moved"})");
  run("CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT,"
      " fork_session_id TEXT, directory TEXT, title TEXT, version TEXT, revert TEXT,"
      " time_created INTEGER, time_updated INTEGER);"
      "CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER,"
      " time_created INTEGER, time_updated INTEGER, data TEXT);"
      "INSERT INTO session_v2 VALUES ('ses_1', 'p', NULL, NULL, '/srv/loom', 'Two', '2.0', NULL,"
      " 1, 3);"
      "INSERT INTO session_message VALUES ('msg_1', 'ses_1', 'user', 1, 20, 20,"
      " '{\"text\":\"moved\"}'), ('msg_2', 'ses_1', 'assistant', 2, 21, 22,"
      " '{\"content\":[{\"type\":\"text\",\"text\":\"so\"}],\"model\":{\"id\":\"m\"}}');");
  EXPECT_EQ(list(ingest(), "conversations").size(), 1u);
  auto count = kinds();
  EXPECT_EQ(count["human_input"], 2);
  EXPECT_EQ(count["response"], 1);
  run("UPDATE session_message SET data = "
      "'{\"content\":[{\"type\":\"text\",\"text\":\"so be it\"}],\"model\":{\"id\":\"m\"}}',"
      " time_updated = 30 WHERE id = 'msg_2'");
  ingest();
  EXPECT_EQ(kinds()["supersedes"], 1);
  EXPECT_EQ(number(ingest(), "bytes"), 0);
}

TEST_F(OpenCodeStore, FilesAreOneConversationAndAMessageThatChangesIsNoticed) {
  write("session/p1/ses_1.json",
        R"({"id":"ses_1","projectID":"p1","directory":"/srv/loom","title":"Looms",
            "version":"1.0.0","time":{"created":1,"updated":2}})");
  write("message/ses_1/msg_2.json",
        R"({"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":6}})");
  write("message/ses_1/msg_1.json",
        R"({"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":5}})");
  write("part/msg_1/prt_1.json",
        R"({"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"weave"})");
  write("session_diff/ses_1.json", "[]");
  const json::object first = ingest();
  EXPECT_EQ(list(first, "conversations").size(), 1u);
  EXPECT_EQ(number(first, "files"), 1);
  EXPECT_EQ(kinds()["human_input"], 1);
  EXPECT_EQ(number(ingest(), "bytes"), 0);
  // All that was read is kept, and given back as lines.
  const Ran restored = weft({"restore", "opencode:ses_1"});
  EXPECT_EQ(std::ranges::count(restored.out, '\n'), 4) << restored;

  write("part/msg_2/prt_2.json",
        R"({"id":"prt_2","sessionID":"ses_1","messageID":"msg_2","type":"text","text":"woven",
            "time":{"start":7,"end":8}})");
  write(
      "message/ses_1/msg_2.json",
      R"({"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":6,"completed":9}})");
  ingest();
  auto count = kinds();
  EXPECT_EQ(count["response"], 1);
  EXPECT_EQ(count["human_input"], 1);
  EXPECT_EQ(count["turn"], 2);
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

// What OpenCode 1.18.33 wrote, counted by hand with sqlite3.
TEST_F(OpenCodeStore, ADatabaseOfToday) {
  const fs::path real = fs::path(WEFT_SOURCE_DIR) /
                        "../shared/fixtures/opencode/recorded/opencode-1.18.33/opencode.db";
  if (!fs::exists(real)) GTEST_SKIP() << "the shared fixtures are not here";
  fs::copy_file(real, folder_ / "opencode.db");
  fs::permissions(folder_ / "opencode.db", fs::perms::owner_write, fs::perm_options::add);
  EXPECT_EQ(list(ingest(), "conversations").size(), 2u);
  auto count = kinds();
  EXPECT_EQ(count["human_input"], 1);
  EXPECT_EQ(count["system_input"], 1);  // the subagent's prompt
  EXPECT_EQ(count["thinking"], 3 + 1);
  EXPECT_EQ(count["response"], 2 + 1);
  EXPECT_EQ(count["tool_request"], 4 + 1);
  EXPECT_EQ(count["tool_result"], 4 + 1);
  EXPECT_EQ(count["turn"], 2 + 2);
  EXPECT_EQ(count["spawns"], 1);
  EXPECT_EQ(number(ingest(), "bytes"), 0);
}

}  // namespace
}  // namespace weft::test
