#include "weft/sqlite/foreign_database.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "weft/sqlite/database.hpp"

namespace weft::sqlite {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Foreign : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "weft-foreign-XXXXXX";
    folder_ = fs::canonical(::mkdtemp(name.data()));
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path path(const std::string& name) const { return folder_ / name; }

  // A database that says `word`.
  void write(const std::string& name, const std::string& word) const {
    std::ofstream(path(name)).flush();  // SQLite is not asked to create it
    const Result<sql::Database> database = open_database(path(name), Mode::read_write);
    ASSERT_TRUE(database);
    ASSERT_TRUE(
        database->script(("CREATE TABLE t(word); INSERT INTO t VALUES ('" + word + "')").c_str()));
  }
  CheckedFile checked(const std::string& name) const {
    struct stat about{};
    EXPECT_EQ(::stat(path(name).c_str(), &about), 0);
    return {.path = path(name),
            .device = about.st_dev,
            .inode = about.st_ino,
            .size = static_cast<std::uint64_t>(about.st_size)};
  }
  static Result<std::string> first(const ForeignDatabase& database, const std::string& sql) {
    Statement statement(database.handle(), sql.c_str());
    Rows rows = database.query(statement);
    const std::string value(database.next(rows) ? rows.bytes(0) : std::string_view());
    const Status status = database.status(rows);
    if (!status) return fail(status.error());
    return value;
  }

  fs::path folder_;
};

TEST_F(Foreign, TheFileThatWasCheckedIsRead) {
  write("own", "heron");
  const auto database = ForeignDatabase::open(checked("own"));
  ASSERT_TRUE(database) << database.error().message;
  EXPECT_EQ(first(*database, "SELECT word FROM t").value(), "heron");
}

TEST_F(Foreign, ASchemaOfManyTablesIsRead) {
  write("own", "heron");
  {
    const Result<sql::Database> database = open_database(path("own"), Mode::read_write);
    ASSERT_TRUE(database);
    std::string sql = "BEGIN;";
    for (int i = 0; i < 300; ++i) sql += "CREATE TABLE t" + std::to_string(i) + "(a, b, c);";
    ASSERT_TRUE(database->script((sql + "COMMIT").c_str()));
  }
  const auto database = ForeignDatabase::open(checked("own"));
  ASSERT_TRUE(database);
  EXPECT_EQ(first(*database, "SELECT count(*) FROM sqlite_master").value(), "301");
}

TEST_F(Foreign, Security3AFileThatTookItsPlaceIsNotOpened) {
  write("own", "heron");
  write("other", "secret");
  const CheckedFile file = checked("own");
  fs::rename(path("other"), path("own"));
  EXPECT_EQ(ForeignDatabase::open(file).error().code, ErrorCode::denied);
  fs::remove(path("own"));
  EXPECT_EQ(ForeignDatabase::open(file).error().code, ErrorCode::denied);
}

TEST_F(Foreign, Security3ALinkThatTookItsPlaceIsNotFollowed) {
  write("own", "heron");
  const CheckedFile file = checked("own");
  fs::rename(path("own"), path("moved"));
  fs::create_symlink(path("moved"), path("own"));
  EXPECT_EQ(ForeignDatabase::open(file).error().code, ErrorCode::denied)
      << "though it is the same file";
}

TEST_F(Foreign, ADescriptorThatIsOpenAlreadyIsNotMistakenForTheCheckedFile) {
  write("own", "heron");
  write("other", "secret");
  const CheckedFile file = checked("own");
  const Result<sql::Database> open = open_database(path("other"), Mode::read_write);
  ASSERT_TRUE(open);
  fs::rename(path("other"), path("own"));
  EXPECT_EQ(ForeignDatabase::open(file).error().code, ErrorCode::denied);
}

TEST_F(Foreign, NoValueIsLongerThanTheLimitHoweverItIsMade) {
  write("own", "heron");
  const auto database = ForeignDatabase::open(checked("own"));
  ASSERT_TRUE(database);
  for (const char* sql : {"SELECT zeroblob(70000000)", "SELECT hex(zeroblob(40000000))",
                          "SELECT replace(hex(zeroblob(20000000)), '0', 'xx')"}) {
    const Result<std::string> value = first(*database, sql);
    ASSERT_FALSE(value) << sql;
    EXPECT_EQ(value.error().code, ErrorCode::invalid_input) << sql;
  }
  EXPECT_EQ(first(*database, "SELECT length(zeroblob(1000000))").value(), "1000000");
}

TEST_F(Foreign, Security8AQueryThatTakesTooMuchMemoryIsRefusedAndSmallerOnesAreAnswered) {
  write("own", "heron");
  const auto database = ForeignDatabase::open(checked("own"));
  ASSERT_TRUE(database);
  for (int i = 0; i < 2; ++i) {
    const Result<std::string> value = first(
        *database,
        "SELECT json_array_length('[' || replace(hex(zeroblob(9000000)), '0', '1,') || '1]')");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, ErrorCode::invalid_input) << value.error().message;
    EXPECT_EQ(first(*database, "SELECT length(replace(hex(zeroblob(1000000)), '0', 'xx'))").value(),
              "4000000");
  }
}

TEST_F(Foreign, Security8AQueryWithoutEndIsStopped) {
  write("own", "heron");
  const auto database = ForeignDatabase::open(checked("own"), 50ms);
  ASSERT_TRUE(database);
  const Result<std::string> value = first(
      *database,
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, ErrorCode::invalid_input);
  EXPECT_NE(value.error().message.find("too long"), std::string::npos) << value.error().message;
  // The budget is that of the file: the next query does not begin with a new one.
  EXPECT_FALSE(first(*database, "SELECT count(*) FROM t, t, t, t, t, t, t, t, t"));
}

TEST_F(Foreign, TimeThatTheCallerTakesBetweenRowsDoesNotCount) {
  write("own", "heron");
  const auto database = ForeignDatabase::open(checked("own"), 200ms);
  ASSERT_TRUE(database);
  Statement statement(
      database->handle(),
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3000) SELECT x FROM n");
  Rows rows = database->query(statement);
  int count = 0;
  while (database->next(rows)) {
    if (++count % 1'000 == 0) ::usleep(150'000);
  }
  EXPECT_TRUE(database->status(rows));
  EXPECT_EQ(count, 3'000);
}

}  // namespace
}  // namespace weft::sqlite
