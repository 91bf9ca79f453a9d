#include "weft/base/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace weft {
namespace {

namespace fs = std::filesystem;

class QuickFile : public testing::Test {
 protected:
  QuickFile() {
    std::string name = fs::temp_directory_path() / "weft-quick-XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~QuickFile() override { fs::remove_all(directory_); }
  fs::path directory_;
};

TEST_F(QuickFile, TakesTheOldOnesPlaceAndLeavesNothingBeside) {
  const fs::path path = directory_ / "note";
  ASSERT_TRUE(write_file_quickly(path, "a long old text"));
  ASSERT_TRUE(write_file_quickly(path, "new"));
  EXPECT_EQ(read_file(path).value(), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()), 1);
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(QuickFile, SaysWhyItCannotBeWritten) {
  const Status nowhere = write_file_quickly(directory_ / "no/note", "x");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::not_found);
  fs::create_directories(directory_ / "folder/in");
  EXPECT_FALSE(write_file_quickly(directory_ / "folder", "x"));
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace weft
