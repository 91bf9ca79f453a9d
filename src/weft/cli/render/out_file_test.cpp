#include "weft/cli/render/out_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "weft/base/file.hpp"
#include "weft/cli/app/scratch_for_test.hpp"

namespace weft::cli {
namespace {

TEST(OutFile, IsInItsPlaceOnlyOnceItIsWhole) {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("answer", "old");
  {
    Result<OutFile> file = OutFile::create(path, Existing::replace);
    ASSERT_TRUE(file);
    std::fputs("new", file->stream());
  }
  EXPECT_EQ(read_file(path).value(), "old");
  Result<OutFile> file = OutFile::create(path, Existing::replace);
  ASSERT_TRUE(file);
  std::fputs("new", file->stream());
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(read_file(path).value(), "new");
  const auto entries = std::filesystem::directory_iterator(scratch.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

TEST(OutFile, LeavesAFileThatExistsAsItIs) {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("answer", "old");
  const Result<OutFile> refused = OutFile::create(path, Existing::keep);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_input);
  EXPECT_NE(refused.error().message.find("--force"), std::string::npos);
  EXPECT_EQ(read_file(path).value(), "old");
}

TEST(OutFile, LeavesAFileThatCameMeanwhileAsItIs) {
  const ScratchDirectory scratch;
  const std::string path = scratch / "answer";
  {
    Result<OutFile> file = OutFile::create(path, Existing::keep);
    ASSERT_TRUE(file);
    std::fputs("ours", file->stream());
    scratch.write("answer", "theirs");
    EXPECT_EQ(file->commit().error().code, ErrorCode::invalid_input);
  }
  EXPECT_EQ(read_file(path).value(), "theirs");
  const auto entries = std::filesystem::directory_iterator(scratch.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  std::filesystem::remove(path);
  Result<OutFile> file = OutFile::create(path, Existing::keep);
  ASSERT_TRUE(file);
  std::fputs("ours", file->stream());
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(read_file(path).value(), "ours");
}

TEST(OutFile, NamesWhatIsWrong) {
  const ScratchDirectory scratch;
  EXPECT_EQ(OutFile::create(scratch / "no/such/place", Existing::keep).error().code,
            ErrorCode::not_found);
  EXPECT_FALSE(OutFile::create(scratch.path(), Existing::replace));
}

TEST(OutFile, HearsOfAFullDisk) {
  Result<OutFile> file = OutFile::create("/dev/full", Existing::keep);
  ASSERT_TRUE(file);
  std::fputs("x", file->stream());
  EXPECT_EQ(file->commit().error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace weft::cli
