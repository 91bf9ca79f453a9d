// Conversations that are no files of their own are followed too: those in another tool's database,
// while that tool writes it, and those in many small files.
#include <signal.h>
#include <sqlite3.h>

#include "watch_for_test.hpp"

namespace weft::test {
namespace {

class WatchingStores : public testing::Test {
 protected:
  WatchingStores() { fs::create_directories(folder_); }
  ~WatchingStores() override { sqlite3_close(database_); }

  std::unique_ptr<StdioClient> watch() const {
    auto client = std::make_unique<StdioClient>(
        WEFT_BINARY,
        std::vector<std::string>{"watch", "--json", "--source", "opencode:" + folder_.string()},
        weft.environment);
    EXPECT_EQ(text(client->next(), "event"), "following");
    return client;
  }
  void run(const std::string& sql) {
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
  void write(const std::string& name, std::string_view text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  bool is_found(std::string_view words) const {
    return number(weft.json({"search", std::string(words)}), "total") > 0;
  }

  Weft weft;
  fs::path folder_ = weft.scratch() / "opencode";
  sqlite3* database_ = nullptr;
};

TEST_F(WatchingStores, RowsOfADatabaseAreTakenInWhileItsToolWritesThem) {
  ASSERT_EQ(sqlite3_open((folder_ / "opencode.db").c_str(), &database_), SQLITE_OK);
  run("PRAGMA journal_mode=WAL;"
      "CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT,"
      " directory TEXT, title TEXT, version TEXT, revert TEXT, time_created INTEGER,"
      " time_updated INTEGER);"
      "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,"
      " time_updated INTEGER, data TEXT);"
      "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,"
      " time_created INTEGER, time_updated INTEGER, data TEXT);");
  const auto client = watch();
  run("BEGIN;"
      "INSERT INTO session VALUES ('ses_1', 'global', NULL, 'x', '/srv/loom', 'Looms', '1.2.0',"
      " NULL, 1, 2);"
      "INSERT INTO message VALUES ('msg_1', 'ses_1', 1, 1, '{\"role\":\"user\"}');"
      "INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, 1,"
      " '{\"type\":\"text\",\"text\":\"where is the heddle\"}');"
      "COMMIT");
  EXPECT_EQ(text(client->next(), "session_id"), "ses_1");
  EXPECT_TRUE(is_found("heddle"));
  run("BEGIN;"
      "INSERT INTO message VALUES ('msg_2', 'ses_1', 3, 3, '{\"role\":\"user\"}');"
      "INSERT INTO part VALUES ('prt_2', 'msg_2', 'ses_1', 3, 3,"
      " '{\"type\":\"text\",\"text\":\"and the selvedge\"}');"
      "COMMIT");
  EXPECT_EQ(text(client->next(), "session_id"), "ses_1");
  EXPECT_TRUE(is_found("selvedge"));
  // Reading it is no change of it.
  EXPECT_TRUE(comes_to_rest(client->pid()));
  sqlite3_close(std::exchange(database_, nullptr));
  EXPECT_TRUE(comes_to_rest(client->pid()));
  client->kill(SIGTERM);
  EXPECT_EQ(client->wait(), 0);
}

TEST_F(WatchingStores, FilesOfOneConversationAreTakenInTogether) {
  const auto client = watch();
  write("storage/session/global/ses_1.json",
        R"({"id":"ses_1","projectID":"global","directory":"/srv/loom","title":"Looms",)"
        R"("version":"1.0.0","time":{"created":1,"updated":2}})");
  write("storage/part/msg_1/prt_1.json",
        R"({"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"heddle"})");
  write("storage/message/ses_1/msg_1.json",
        R"({"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}})");
  EXPECT_EQ(text(client->next(), "session_id"), "ses_1");
  EXPECT_TRUE(becomes_true([&] { return is_found("heddle"); }));
  write("storage/part/msg_2/prt_2.json",
        R"({"id":"prt_2","messageID":"msg_2","sessionID":"ses_1","type":"text","text":"reed"})");
  write("storage/message/ses_1/msg_2.json",
        R"({"id":"msg_2","sessionID":"ses_1","role":"user","time":{"created":2}})");
  EXPECT_TRUE(becomes_true([&] { return is_found("reed"); }));
  client->kill(SIGTERM);
  EXPECT_EQ(client->wait(), 0);
}

}  // namespace
}  // namespace weft::test
