#include "weft/cli/out_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "weft/base/file.hpp"
#include "weft/cli/scratch_for_test.hpp"

namespace weft::cli {
namespace {

TEST(OutFile, IsInItsPlaceOnlyOnceItIsWhole) {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("answer", "old");
  {
    Result<OutFile> file = OutFile::create(path);
    ASSERT_TRUE(file);
    std::fputs("new", file->stream());
  }
  EXPECT_EQ(read_file(path).value(), "old");
  Result<OutFile> file = OutFile::create(path);
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

TEST(OutFile, NamesWhatIsWrong) {
  const ScratchDirectory scratch;
  EXPECT_EQ(OutFile::create(scratch / "no/such/place").error().code, ErrorCode::not_found);
  EXPECT_FALSE(OutFile::create(scratch.path()));
}

TEST(OutFile, HearsOfAFullDisk) {
  Result<OutFile> file = OutFile::create("/dev/full");
  ASSERT_TRUE(file);
  std::fputs("x", file->stream());
  EXPECT_EQ(file->commit().error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace weft::cli
