// Whose file it is, which version, and how a store becomes one of the next version.
#include "weft/store/sqlite/schema.hpp"
#include "weft/sqlite/database.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "weft/base/file.hpp"
#include "weft/store/talk_for_test.hpp"

#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"

namespace weft::store::sql {
namespace {

class SqliteFile : public testing::Test {
 protected:
  std::string path() const { return scratch_.path() / "weft.db"; }
  ErrorCode refused(Create create = Create::yes) const {
    const Result<std::unique_ptr<Store>> store = open_store(path(), create);
    EXPECT_FALSE(store);
    return store ? ErrorCode::internal : store.error().code;
  }
  void make_store() const { ASSERT_TRUE(open_store(path(), Create::yes)); }
  void run(const char* sql) const {
    const Status status = sqlite::open_database(path(), sqlite::Mode::read_write)->script(sql);
    ASSERT_TRUE(status) << status.error().message;
  }
  void write(std::string_view bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }
  static unsigned mode(const std::string& file) {
    struct stat info{};
    EXPECT_EQ(::stat(file.c_str(), &info), 0) << file;
    return info.st_mode & 0777u;
  }
  Scratch scratch_;
};

TEST_F(SqliteFile, IsNotMadeUnlessAskedFor) {
  EXPECT_EQ(refused(Create::no), ErrorCode::not_found);
  EXPECT_FALSE(std::filesystem::exists(path()));
  make_store();
  EXPECT_TRUE(open_store(path(), Create::no));
}

TEST_F(SqliteFile, IsForItsOwnersEyesWhateverTheUmask) {
  const mode_t before = ::umask(0);
  const auto store = open_store(path(), Create::yes);
  ::umask(before);
  ASSERT_TRUE(store);
  Talk talk("s1");
  talk.says("a");
  ASSERT_TRUE((*store)->writer().commit(talk.batch()));
  for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(mode(path() + suffix), 0600u);
}

TEST_F(SqliteFile, OfANewerWeftIsRefusedAndLeftAsItIs) {
  make_store();
  run("PRAGMA user_version = 99");
  const std::string before = read_file(path()).value();
  EXPECT_EQ(refused(), ErrorCode::invalid_input);
  EXPECT_EQ(read_file(path()).value(), before);
}

TEST_F(SqliteFile, OfSomebodyElseIsRefusedAndLeftAsItIs) {
  for (const std::string_view bytes : {std::string_view("not a database, but a letter to a friend"),
                                       std::string_view("SQLite format 3\0 and then some", 30)}) {
    write(bytes);
    EXPECT_EQ(refused(), ErrorCode::corrupt);
    EXPECT_EQ(read_file(path()).value(), bytes);
  }
  write("");
  run("CREATE TABLE theirs (x)");
  const std::string before = read_file(path()).value();
  EXPECT_EQ(refused(), ErrorCode::corrupt);
  EXPECT_EQ(read_file(path()).value(), before);
}

TEST_F(SqliteFile, IsNoDirectoryAndNeedsOne) {
  std::filesystem::create_directory(path());
  EXPECT_EQ(refused(), ErrorCode::corrupt);
  EXPECT_EQ(open_store(scratch_.path() / "nowhere" / "weft.db", Create::yes).error().code,
            ErrorCode::not_found);
}

TEST_F(SqliteFile, ThatIsEmptyCountsAsNoneAndBecomesAStoreOnlyIfAskedFor) {
  write("");  // a process was killed right after it made the file
  EXPECT_EQ(refused(Create::no), ErrorCode::not_found);
  EXPECT_EQ(open_store_to_read(path()).error().code, ErrorCode::not_found);
  // Or right after it made the file a database.
  run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL");
  EXPECT_GT(std::filesystem::file_size(path()), 0u);
  EXPECT_EQ(refused(Create::no), ErrorCode::not_found);
  EXPECT_EQ(open_store_to_read(path()).error().code, ErrorCode::not_found);
  EXPECT_TRUE(open_store(path(), Create::yes));
  EXPECT_TRUE(open_store(path(), Create::no));
}

TEST_F(SqliteFile, ThatAnotherProgramCompactedGetsItsLogBack) {
  make_store();
  run("PRAGMA journal_mode = DELETE; VACUUM");
  const std::string compacted = read_file(path()).value();
  ASSERT_TRUE(open_store(path(), Create::no));
  const auto journal = [](const std::string& file) { return file.at(18); };  // 2: a log
  EXPECT_EQ(journal(compacted), 1);
  EXPECT_EQ(journal(read_file(path()).value()), 2);
}

TEST_F(SqliteFile, IsMadeOnceWhenManyMakeItAtOnce) {
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] {
      const auto store = open_store(path(), Create::yes);
      ASSERT_TRUE(store) << store.error().message;
      Talk talk("opener " + std::to_string(i));
      talk.says("a");
      EXPECT_TRUE((*store)->writer().commit(talk.batch()));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(open_store(path(), Create::no).value()->conversations({})->size(), 8u);
}

// --- migrations ------------------------------------------------------------------------

class Migrations : public SqliteFile {
 protected:
  void SetUp() override {
    write("");
    Result<PlainDatabase> opened = sqlite::open_database(path(), sqlite::Mode::read_write);
    ASSERT_TRUE(opened);
    database_.emplace(*std::move(opened));
    // As every connection of a store: the triggers are for older wefts.
    sqlite3_db_config(sqlite::handle_of(*database_), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  }
  std::int64_t version() { return sqlite::read_pragma(*database_, "user_version").value(); }
  std::int64_t count(Sql sql) {
    Rows rows = database_->query(sql);
    return rows.next() ? rows.integer(0) : -1;
  }
  std::optional<PlainDatabase> database_;
};

constexpr Migration kFirst{"CREATE TABLE a (x); INSERT INTO a VALUES (1), (2)"};
constexpr Migration kSecond{"CREATE TABLE b (x, y); INSERT INTO b SELECT x, 10 * x FROM a"};
constexpr Migration kBroken{"CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)"};

TEST_F(Migrations, RunFromTheVersionOfTheStoreToTheNewest) {
  const Migration old[] = {kFirst}, now[] = {kFirst, kSecond};
  ASSERT_TRUE(migrate(*database_, old));
  EXPECT_EQ(version(), 1);
  ASSERT_TRUE(migrate(*database_, now));
  EXPECT_EQ(version(), 2);
  EXPECT_EQ(count("SELECT sum(y) FROM b"), 30);
  ASSERT_TRUE(migrate(*database_, now)) << "and again is not an error";
  EXPECT_EQ(count("SELECT count(*) FROM b"), 2);
}

TEST_F(Migrations, AreAllOrNothing) {
  const Migration old[] = {kFirst}, now[] = {kFirst, kSecond, kBroken};
  ASSERT_TRUE(migrate(*database_, old));
  EXPECT_FALSE(migrate(*database_, now));
  EXPECT_EQ(version(), 1);
  EXPECT_EQ(count("SELECT count(*) FROM sqlite_master WHERE name IN ('b', 'c')"), 0);
}

TEST_F(Migrations, OfThisWeftLeadToTheVersionThatThePageNames) {
  const std::string page =
      read_file(std::string(WEFT_SOURCE_DIR) + "/docs/formats/store.md").value();
  EXPECT_NE(page.find("| `user_version` | " + std::to_string(migrations().size()) + " |"),
            std::string::npos);
  ASSERT_TRUE(install_tables(*database_));
  ASSERT_TRUE(migrate(*database_, migrations()));
  EXPECT_EQ(sqlite::read_pragma(*database_, "application_id").value(), kApplicationId);
  EXPECT_EQ(count("SELECT count(*) FROM sqlite_master WHERE name LIKE 'search_clear%'"), 0);
}

}  // namespace
}  // namespace weft::store::sql
