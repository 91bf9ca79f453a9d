// The database of Cursor's editor: read while the editor has it open, read again when its rows were
// rewritten, and preferred to the transcripts that the editor writes as well.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "program.hpp"
#include "session_for_test.hpp"
#include "web_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

class CursorStore : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(weft({"init"}).exit, 0);
    fs::create_directories(weft.scratch() / "Cursor/User/globalStorage");
    const std::string path = weft.path("Cursor/User/globalStorage/state.vscdb");
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    run("PRAGMA journal_mode=WAL;"
        "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
        "INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'hunter2-credential');"
        "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);");
    put("composerData:c1",
        R"({"composerId":"c1","name":"Loom","fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}]})");
    put("bubbleId:c1:b1", R"({"type":1,"text":"where is the loom?"})");
    put("bubbleId:c1:b2", R"({"type":2,"text":"in the"})");
  }
  void TearDown() override { sqlite3_close(database); }

  void run(const std::string& sql) {
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
  void put(const std::string& key, const std::string& json) {
    run("INSERT INTO cursorDiskKV VALUES ('" + key + "', '" + json + "')");
  }
  json::object ingest() {
    return weft.json({"ingest", "--source", "cursor:" + weft.scratch().string()});
  }

  static int mirrors(const json::object& report) {
    int count = 0;
    for (const json::value& skip : list(report, "skipped")) {
      count += text(skip.get_object(), "reason") == "mirror" ? 1 : 0;
    }
    return count;
  }

  Weft weft;
  sqlite3* database = nullptr;
};

TEST_F(CursorStore, IsReadAnewWhenItsRowsWereWrittenAnew) {
  ASSERT_EQ(list(ingest(), "conversations").size(), 1u);
  EXPECT_EQ(number(ingest(), "bytes"), 0);
  put("bubbleId:c1:b2", R"({"type":2,"text":"in the attic"})");
  const json::object second = ingest();
  EXPECT_GT(number(second, "new_thoughts"), 0);
  EXPECT_EQ(weft({"restore", "cursor:c1"}).out,
            "{\"composer\":{\"composerId\":\"c1\",\"name\":\"Loom\"}}\n"
            "{\"bubbleId\":\"b1\",\"bubble\":{\"type\":1,\"text\":\"where is the loom?\"}}\n"
            "{\"bubbleId\":\"b2\",\"bubble\":{\"type\":2,\"text\":\"in the attic\"}}\n");
  EXPECT_EQ(weft({"verify"}).exit, 0);
  for (const fs::directory_entry& file : fs::directory_iterator(weft.home())) {
    EXPECT_EQ(read_text(file.path()).find("hunter2"), std::string::npos);
  }
}

TEST_F(CursorStore, WinsOverATranscriptOfTheSameConversation) {
  for (const std::string id : {"c1", "c2"}) {
    fs::create_directories(weft.scratch() / "projects/p/agent-transcripts");
    std::ofstream(weft.path("projects/p/agent-transcripts/" + id + ".jsonl"))
        << R"({"role":"user","message":{"content":[{"type":"text","text":"where is the loom?"}]}})"
        << "\n";
  }
  const json::object report = ingest();
  EXPECT_EQ(list(report, "conversations").size(), 2u);
  EXPECT_EQ(mirrors(report), 1);
  // Also when both are known already.
  EXPECT_EQ(mirrors(ingest()), 1);
}

}  // namespace
}  // namespace weft::test
