// weft reweave: sources that an older weft wove are read again, from the file or from the archive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "program.hpp"
#include "session_for_test.hpp"
#include "web_for_test.hpp"
#include "weft/store/open.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kSession = "11111111-1111-4111-8111-111111111111";

class Reweave : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(file_.parent_path());
    session_.human("where is the shuttle?");
    session_.thinks("in the shed, maybe");
    session_.says("It is in the shed.");
    write(session_.text());
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
  }
  void write(const std::string& text) { std::ofstream(file_, std::ios::binary) << text; }

  sqlite3* open_store() const {
    sqlite3* store = nullptr;
    EXPECT_EQ(sqlite3_open((weft_.home() / "weft.db").c_str(), &store), SQLITE_OK);
    return store;
  }
  // As a weft of long ago would have left it.
  void make_old() const {
    sqlite3* store = open_store();
    EXPECT_EQ(
        sqlite3_exec(store, "UPDATE sources SET adapter_version = 0", nullptr, nullptr, nullptr),
        SQLITE_OK);
    sqlite3_close(store);
    // As if weft had written it.
    const auto opened =
        store::open_store((weft_.home() / "weft.db").string(), store::Create::no).value();
    EXPECT_TRUE(opened->derived().accept());
  }
  std::int64_t old_sources() const {
    sqlite3* store = open_store();
    sqlite3_stmt* rows = nullptr;
    sqlite3_prepare_v2(store, "SELECT count(*) FROM sources WHERE adapter_version = 0", -1, &rows,
                       nullptr);
    EXPECT_EQ(sqlite3_step(rows), SQLITE_ROW);
    const std::int64_t count = sqlite3_column_int64(rows, 0);
    sqlite3_finalize(rows);
    sqlite3_close(store);
    return count;
  }
  std::int64_t supersedes() const {
    const std::string cid =
        text(list(weft_.json({"list"}), "conversations").at(0).get_object(), "cid");
    const std::string lines = weft_({"export", cid, "--as", "thoughts"}).out;
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = lines.find("\"supersedes\"", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  }

  Weft weft_;
  Session session_{kSession};
  fs::path file_ = weft_.scratch() / ".claude/projects/-home-ada-looms" / (kSession + ".jsonl");
};

TEST_F(Reweave, OfTodaysVersionsReadsNothing) {
  const Ran ran = weft_({"reweave", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran;
  EXPECT_EQ(list(ran.object(), "conversations").size(), 0u);
  EXPECT_EQ(number(ran.object(), "bytes"), 0);
  EXPECT_THAT(weft_({"reweave"}).out, HasSubstr("nothing to do"));
  EXPECT_EQ(number(weft_.json({"reweave", "--all"}), "bytes"),
            static_cast<std::int64_t>(session_.text().size()));
}

TEST_F(Reweave, WhatComesOutAsItWasAddsNothing) {
  make_old();
  const json::object report = weft_.json({"reweave"});
  EXPECT_EQ(list(report, "conversations").size(), 1u);
  EXPECT_EQ(number(report, "new_thoughts"), 0);
  EXPECT_EQ(old_sources(), 0);
  EXPECT_EQ(number(weft_.json({"reweave"}), "bytes"), 0) << "it is of today now";
  EXPECT_EQ(weft_({"verify"}).exit, 0);
}

// The file has other content, which only reading it shows: as if the adapter had changed.
TEST_F(Reweave, WhatComesOutOtherwiseSupersedesWhatStoodThere) {
  const auto time = fs::last_write_time(file_);
  std::string text = session_.text();
  text.replace(text.find("It is in the shed."), 18, "It is in the barn.");
  write(text);
  fs::last_write_time(file_, time);
  ASSERT_EQ(number(weft_.json({"ingest"}), "bytes"), 0) << "it looks unchanged";
  make_old();
  EXPECT_GT(number(weft_.json({"reweave"}), "new_thoughts"), 0);
  EXPECT_EQ(supersedes(), 1);
  EXPECT_EQ(number(weft_.json({"search", "barn"}), "total"), 1);
  EXPECT_EQ(weft_({"verify"}).exit, 0);
}

TEST_F(Reweave, AFileThatIsGoneIsReadFromTheArchive) {
  fs::remove(file_);
  make_old();
  const json::object report = weft_.json({"reweave"});
  EXPECT_EQ(list(report, "conversations").size(), 1u);
  EXPECT_EQ(number(report, "bytes"), static_cast<std::int64_t>(session_.text().size()));
  EXPECT_EQ(number(report, "new_thoughts"), 0);
  EXPECT_EQ(old_sources(), 0);
  EXPECT_EQ(weft_({"restore", kSession}).out, session_.text());
  EXPECT_EQ(weft_({"verify"}).exit, 0);
  // It comes back, and grows: it is resumed.
  session_.human("and the reed?");
  write(session_.text());
  const json::object again = weft_.json({"ingest"});
  EXPECT_GT(number(again, "new_thoughts"), 0);
  EXPECT_EQ(supersedes(), 0);
  EXPECT_EQ(weft_({"restore", kSession}).out, session_.text());
}

TEST_F(Reweave, AForgottenConversationStaysForgotten) {
  ASSERT_EQ(weft_({"forget", kSession, "--yes"}).exit, 0);
  make_old();
  const json::object report = weft_.json({"reweave"});
  EXPECT_EQ(list(report, "conversations").size(), 0u);
  EXPECT_EQ(number(weft_.json({"list"}), "total"), 0);
  fs::remove(file_);
  make_old();
  EXPECT_EQ(list(weft_.json({"reweave"}), "conversations").size(), 0u);
  EXPECT_EQ(number(weft_.json({"list"}), "total"), 0);
}

}  // namespace
}  // namespace weft::test
