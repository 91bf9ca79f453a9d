#include "weft/base/file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace weft {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "weft-file-test.XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory = name;
  }
  void TearDown() override {
    fs::permissions(directory, fs::perms::owner_all);
    fs::remove_all(directory);
  }

  fs::path make(const std::string& name, std::string_view bytes) {
    std::ofstream(directory / name, std::ios::binary) << bytes;
    return directory / name;
  }
  std::string text_of(const fs::path& path) {
    const Result<std::string> bytes = read_file(path);
    EXPECT_TRUE(bytes) << bytes.error().message;
    return bytes.value_or("");
  }
  std::size_t count_files() {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
  }

  fs::path directory;
};

unsigned mode_of(const fs::path& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

using ReadFile = FileTest;
using WriteFileAtomically = FileTest;

TEST_F(ReadFile, GivesEveryByte) {
  EXPECT_EQ(text_of(make("empty", "")), "");
  EXPECT_EQ(text_of(make("bytes", std::string_view("a\0\r\n\xFF", 5))),
            std::string_view("a\0\r\n\xFF", 5));
  const std::string large(1'000'000, 'x');
  EXPECT_EQ(text_of(make("large", large)), large);
}

TEST_F(ReadFile, SaysNotFoundWhereThereIsNone) {
  EXPECT_EQ(read_file(directory / "none").error().code, ErrorCode::not_found);
  EXPECT_EQ(read_file(make("file", "") / "below").error().code, ErrorCode::not_found);
}

TEST_F(ReadFile, RefusesADirectory) {
  EXPECT_EQ(read_file(directory).error().code, ErrorCode::invalid_input);
}

TEST_F(ReadFile, SaysDeniedWhereItMayNotRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const fs::path path = make("file", "secret");
  fs::permissions(path, fs::perms::none);
  EXPECT_EQ(read_file(path).error().code, ErrorCode::denied);
}

TEST_F(ReadFile, TakesAFileAtTheLimitAndRefusesOneByteMore) {
  const fs::path path = make("file", std::string(10'000, 'x'));
  EXPECT_EQ(read_file(path, 10'000).value().size(), 10'000u);
  EXPECT_EQ(read_file(path, std::numeric_limits<std::size_t>::max()).value().size(), 10'000u);
  EXPECT_EQ(read_file(path, 9'999).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(read_file(path, 0).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(read_file(make("empty", ""), 0).value(), "");
}

TEST_F(ReadFile, RefusesAFileThatNeverEndsWithoutTakingMoreThanTheLimit) {
  EXPECT_EQ(read_file("/dev/zero", 100'000).error().code, ErrorCode::invalid_input);
}

TEST_F(ReadFile, ReadsAPipeToItsEndThoughItHasNoSize) {
  const fs::path path = directory / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string bytes(200'000, 'y');
  const std::jthread writer([&] { std::ofstream(path) << bytes; });
  EXPECT_EQ(text_of(path), bytes);
}

TEST_F(ReadFile, NamesTheFileInItsError) {
  const std::string message = read_file(directory / "none").error().message;
  EXPECT_EQ(message, "reading " + (directory / "none").string() + ": No such file or directory");
}

TEST_F(WriteFileAtomically, WritesANewFileWithItsModeWhateverTheUmask) {
  const mode_t before = ::umask(077);
  ASSERT_TRUE(write_file_atomically(directory / "public", "text", 0644));
  ::umask(0);
  ASSERT_TRUE(write_file_atomically(directory / "secret", "key", 0600));
  ::umask(before);
  EXPECT_EQ(text_of(directory / "public"), "text");
  EXPECT_EQ(mode_of(directory / "public"), 0644u);
  EXPECT_EQ(mode_of(directory / "secret"), 0600u);
}

TEST_F(WriteFileAtomically, ReplacesTheOldFileWholeAndLeavesNothingBeside) {
  const fs::path path = make("file", "an older and longer text");
  ASSERT_TRUE(write_file_atomically(path, "new", 0600));
  EXPECT_EQ(text_of(path), "new");
  EXPECT_EQ(mode_of(path), 0600u);
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(WriteFileAtomically, ReplacesALinkSoThatNobodyCanSteerTheBytesElsewhere) {
  const fs::path target = make("target", "old");
  fs::create_symlink(target, directory / "link");
  ASSERT_TRUE(write_file_atomically(directory / "link", "new", 0600));
  EXPECT_EQ(text_of(target), "old");
  EXPECT_FALSE(fs::is_symlink(directory / "link"));
}

TEST_F(WriteFileAtomically, LeavesNothingBehindWhenItFails) {
  fs::create_directory(directory / "taken");
  make("taken/file", "keeps the directory from being replaced");
  const Status status = write_file_atomically(directory / "taken", "new", 0600);
  EXPECT_EQ(status.error().code, ErrorCode::invalid_input);
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(WriteFileAtomically, KeepsTheOldFileWhenThereIsNoRoomForTheNew) {
  const fs::path path = make("file", "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 100, .rlim_max = before.rlim_max};
  const auto on_signal = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write_file_atomically(path, std::string(1000, 'x'), 0600);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, on_signal);
  EXPECT_EQ(status.error().code, ErrorCode::unavailable);
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(WriteFileAtomically, SaysNotFoundWhereTheDirectoryIsMissing) {
  const Status status = write_file_atomically(directory / "none" / "file", "new", 0600);
  EXPECT_EQ(status.error().code, ErrorCode::not_found);
}

TEST_F(WriteFileAtomically, SaysDeniedWhereItMayNotWriteAndKeepsTheOldFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const fs::path path = make("file", "old");
  fs::permissions(directory, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(write_file_atomically(path, "new", 0600).error().code, ErrorCode::denied);
  EXPECT_EQ(text_of(path), "old");
}

}  // namespace
}  // namespace weft
