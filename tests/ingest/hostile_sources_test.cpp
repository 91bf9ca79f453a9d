// Malicious and damaged files: each gets a clear line in the report, and the rest is ingested.
#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "program.hpp"
#include "session_for_test.hpp"
#include "web_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

const std::string kGood = "11111111-1111-4111-8111-111111111111";
const std::string kBad = "22222222-2222-4222-8222-222222222222";

struct Member {
  std::string name, text;
};

// A zip as a download would bring it.
void write_zip(const std::string& path, const std::vector<Member>& members) {
  archive* zip = archive_write_new();
  archive_write_set_format_zip(zip);
  ASSERT_EQ(archive_write_open_filename(zip, path.c_str()), ARCHIVE_OK);
  for (const Member& member : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.text.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0600);
    archive_write_header(zip, entry);
    archive_write_data(zip, member.text.data(), member.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(zip);
  archive_write_free(zip);
}

std::string chat(std::string_view uuid, std::string_view words, std::string_view parent = "") {
  return std::string(R"({"uuid":")") + std::string(uuid) +
         R"(","name":"A chat","created_at":"2026-04-01T08:00:00Z","updated_at":"2026-04-01T08:01:00Z",)"
         R"("account":{"uuid":"a1"},"chat_messages":[{"uuid":"m1","sender":"human","text":")" +
         std::string(words) + R"(","content":[{"type":"text","text":")" + std::string(words) +
         R"("}],"created_at":"2026-04-01T08:00:00Z","attachments":[],"files":[],"parent_message_uuid":")" +
         std::string(parent) + R"("}]})";
}

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    folder = weft.scratch() / "projects/-home-ada-looms";
    fs::create_directories(folder);
    Session good(kGood);
    good.human("hello");
    good.says("good day");
    std::ofstream(folder / (kGood + ".jsonl")) << good.text();
  }
  fs::path bad() const { return folder / (kBad + ".jsonl"); }

  // The good file is always ingested, whatever is beside it; returns the reports on the others.
  std::vector<std::string> reasons() {
    const json::object report =
        weft.json({"ingest", "--source", "claude-code:" + weft.path("projects")});
    bool has_good = false;
    for (const json::value& row : list(report, "conversations")) {
      has_good = has_good || text(row.get_object(), "session_id") == kGood;
    }
    EXPECT_TRUE(has_good);
    EXPECT_EQ(weft({"verify"}).exit, 0);
    std::vector<std::string> all;
    for (const json::value& skip : list(report, "skipped")) {
      all.push_back(text(skip.get_object(), "reason"));
    }
    return all;
  }

  Weft weft;
  fs::path folder;
};

TEST_F(Hostile, LinksInACircleAreFollowedOnce) {
  fs::create_directory_symlink(folder, folder / "again");
  fs::create_directory_symlink(weft.scratch() / "projects", folder / "up");
  fs::create_symlink(folder / "nowhere", folder / "dangling.jsonl");
  EXPECT_THAT(reasons(), Contains(HasSubstr("No such file")));
}

TEST_F(Hostile, FifosAndFoldersNamedLikeSessionsAreNamed) {
  ASSERT_EQ(::mkfifo(bad().c_str(), 0600), 0);
  fs::create_directories(folder / "33333333-3333-4333-8333-333333333333.jsonl");
  EXPECT_THAT(reasons(), Contains("is not a regular file"));
}

TEST_F(Hostile, UnreadableFileIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  std::ofstream(bad()) << "{}";
  fs::permissions(bad(), fs::perms::none);
  EXPECT_THAT(reasons(), Contains(HasSubstr("ermission denied")));
}

TEST_F(Hostile, LineBeyondTheLimitIsArchivedAndNotWoven) {
  Session session(kBad);
  session.human("before");
  std::ofstream out(bad(), std::ios::binary);
  out << session.lines[0] << "\n{\"type\":\"user\",\"x\":\"";
  const std::string megabyte(1 << 20, 'x');
  for (int i = 0; i < 65; ++i) out << megabyte;
  session.human("after");
  out << "\"}\n" << session.lines[1] << "\n";
  out.close();
  EXPECT_THAT(reasons(), Contains(HasSubstr("too large")));
  EXPECT_EQ(weft.json({"stats", kBad}).at("by_type").as_object().at("anthropic/human_input"), 2);
  ASSERT_EQ(weft({"restore", bad().string(), "--out", weft.path("back")}).exit, 0);
  EXPECT_TRUE(read_text(weft.path("back")) == read_text(bad()));
}

TEST_F(Hostile, NulsBrokenUtf8AndLoneSurrogatesAreRepairedOrNamed) {
  Session session(kBad);
  session.human("fine");
  session.human("half a pair: @@1, half a character: @@2");
  std::string text = session.text();
  text.replace(text.find("@@1"), 3, "\\ud83d");
  text.replace(text.find("@@2"), 3, "\xE2\x82");
  text += std::string(4096, '\0') + "\n";
  std::ofstream(bad(), std::ios::binary) << text;
  EXPECT_THAT(reasons(), Contains(HasSubstr("malformed")));
  EXPECT_EQ(weft.json({"stats", kBad}).at("by_type").as_object().at("anthropic/human_input"), 2);
  EXPECT_TRUE(weft({"restore", kBad}).out == text);
}

TEST_F(Hostile, FileThatGrowsWhileItIsReadIsTakenAsFarAsItIsThere) {
  std::atomic<bool> done = false;
  Session session(kBad);
  std::jthread writer([&] {
    std::ofstream out(bad(), std::ios::binary);
    for (int i = 0; i < 3000; ++i) {
      session.human("line " + std::to_string(i));
      out << session.lines.back() << "\n" << std::flush;
    }
    done = true;
  });
  while (!done) reasons();
  writer.join();
  reasons();
  EXPECT_EQ(weft.json({"stats", kBad}).at("by_type").as_object().at("anthropic/human_input"), 3000);
  EXPECT_TRUE(weft({"restore", kBad}).out == session.text());
}

TEST_F(Hostile, ThousandsOfTinyFilesAreTaken) {
  for (int i = 0; i < 3000; ++i) {
    char name[64];
    std::snprintf(name, sizeof name, "%08x-0000-4000-8000-000000000000.jsonl", i);
    std::ofstream(folder / name) << (i % 3 == 0 ? "" : i % 3 == 1 ? "{" : R"({"type":"mode"})");
  }
  EXPECT_EQ(reasons().size(), 3000u);
}

TEST_F(Hostile, ExportWithACycleInItsTreeIsTaken) {
  const std::string path = weft.write("conversations.json", "[" + chat("c1", "round", "m1") + "]");
  const json::object report = weft.json({"ingest", path});
  EXPECT_EQ(list(report, "conversations").size(), 1u);
  EXPECT_EQ(weft({"walk", "c1", "--all"}).exit, 0);
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST_F(Hostile, ZipIsTakenAsItIsDownloadedAndGivenBack) {
  const std::string path = weft.path("data-2026-04-01-batch-0000.zip");
  write_zip(
      path,
      {{"conversations.json", "[" + chat("c1", "first") + "," + chat("c2", "second") + "]"},
       {"users.json", R"([{"uuid":"u","full_name":"Ada","email_address":"ada@example.org"}])"},
       {"../../escape.json", "[" + chat("c3", "third") + "]"},
       {"notes.txt", "nothing"}});
  const json::object report = weft.json({"ingest", path});
  EXPECT_EQ(list(report, "conversations").size(), 3u);
  std::map<std::string, std::string> reasons;
  for (const json::value& skip : list(report, "skipped")) {
    reasons[text(skip.get_object(), "file")] = text(skip.get_object(), "reason");
  }
  EXPECT_EQ(reasons[path + "!users.json"], "account");
  EXPECT_THAT(reasons[path + "!notes.txt"], HasSubstr("no known format"));
  EXPECT_FALSE(fs::exists(weft.scratch().parent_path() / "escape.json"));
  EXPECT_TRUE(weft({"restore", "c2"}).out == read_text(path));
  EXPECT_EQ(number(weft.json({"ingest", path}), "bytes"), 0);
  // The next export has more of the same conversations, in two parts.
  write_zip(weft.path("part-0.zip"), {{"conversations.json", "[" + chat("c1", "first") + "]"}});
  write_zip(weft.path("part-1.zip"), {{"conversations.json", "[" + chat("c9", "ninth") + "]"}});
  const json::object later =
      weft.json({"ingest", weft.path("part-0.zip"), weft.path("part-1.zip")});
  EXPECT_EQ(list(later, "conversations").size(), 2u);
  EXPECT_EQ(number(list(later, "conversations").at(0).get_object(), "new_thoughts"), 0);
}

TEST_F(Hostile, ZipBombIsStopped) {
  std::string bomb = "[" + chat("c1", "boom");
  bomb += "," + std::string(400u << 20, ' ') + "]";
  const std::string path = weft.path("bomb.zip");
  write_zip(path, {{"conversations.json", bomb}, {"more.json", "[" + chat("c2", "x") + "]"}});
  ASSERT_LT(fs::file_size(path), 2u << 20);
  const json::object report = weft.json({"ingest", path});
  ASSERT_FALSE(list(report, "skipped").empty());
  EXPECT_THAT(text(list(report, "skipped").at(0).get_object(), "reason"), HasSubstr("200 times"));
}

TEST_F(Hostile, BrokenZipIsNamed) {
  const std::string path = weft.path("cut.zip");
  write_zip(path, {{"conversations.json", "[" + chat("c1", "first") + "]"}});
  fs::resize_file(path, fs::file_size(path) / 2);
  const Ran ran = weft({"ingest", path, "--json"});
  ASSERT_FALSE(list(ran.object(), "skipped").empty()) << ran;
  EXPECT_THAT(text(list(ran.object(), "skipped").at(0).get_object(), "reason"),
              HasSubstr("unpacking"));
}

// OpenClaw's newer store: read while its tool has it open, and never written to.
class OpenClawStore : public Hostile {
 protected:
  void SetUp() override {
    fs::create_directories(weft.scratch() / "agents/clawd/agent");
    path = weft.path("agents/clawd/agent/openclaw-agent.sqlite");
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    run("PRAGMA journal_mode=WAL;"
        "CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT,"
        " previous_session_id TEXT, reason TEXT, created_at INTEGER);"
        "CREATE TABLE auth_profile_store (secret TEXT);"
        "INSERT INTO auth_profile_store VALUES ('hunter2-credential');"
        "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT,"
        " created_at INTEGER, PRIMARY KEY (session_id, seq));"
        "INSERT INTO session_windows VALUES ('s1', 'agent:clawd:main', NULL, 'initial', 1);");
    event(
        0,
        R"({"type":"session","version":3,"id":"s1","timestamp":"2026-02-01T08:00:00.000Z","cwd":"/srv/clawd"})");
    event(
        1,
        R"({"type":"message","id":"aa","parentId":null,"timestamp":"2026-02-01T08:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"where is the loom?"}],"timestamp":1769932801000}})");
  }
  void TearDown() override { sqlite3_close(database); }

  void run(const std::string& sql) {
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
  void event(int seq, const std::string& json) {
    run("INSERT INTO transcript_events VALUES ('s1', " + std::to_string(seq) + ", '" + json +
        "', 1)");
    lines += json + "\n";
  }
  json::object ingest() {
    return weft.json({"ingest", "--source", "openclaw:" + weft.path("agents")});
  }

  sqlite3* database = nullptr;
  std::string path, lines;
};

TEST_F(OpenClawStore, IsReadWhileItIsOpenAndGoneOnWith) {
  const json::object first = ingest();
  ASSERT_EQ(list(first, "conversations").size(), 1u);
  const json::object row = list(weft.json({"list"}), "conversations").at(0).get_object();
  EXPECT_EQ(text(row, "format"), "openclaw");
  EXPECT_EQ(text(row, "project"), "openclaw-clawd");
  EXPECT_EQ(number(ingest(), "bytes"), 0);
  const std::size_t before = lines.size();
  event(
      2,
      R"({"type":"message","id":"bb","parentId":"aa","timestamp":"2026-02-01T08:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"in the attic"}],"provider":"anthropic","model":"claude-x","stopReason":"stop","timestamp":1769932802000}})");
  const json::object second = ingest();
  EXPECT_EQ(number(second, "bytes"), static_cast<std::int64_t>(lines.size() - before));
  EXPECT_GT(number(second, "new_thoughts"), 0);
  EXPECT_TRUE(weft({"restore", "openclaw:s1"}).out == lines);
  EXPECT_EQ(weft({"verify"}).exit, 0);
  for (const fs::directory_entry& file : fs::directory_iterator(weft.home())) {
    EXPECT_EQ(read_text(file.path()).find("hunter2"), std::string::npos);
  }
}

TEST_F(OpenClawStore, OfAnotherKindIsNamed) {
  run("DROP TABLE session_windows");
  const json::object report = ingest();
  ASSERT_FALSE(list(report, "skipped").empty());
  bool named = false;
  for (const json::value& skip : list(report, "skipped")) {
    named = named ||
            text(skip.get_object(), "reason").find("database of another kind") != std::string::npos;
  }
  EXPECT_TRUE(named);
}

}  // namespace
}  // namespace weft::test
