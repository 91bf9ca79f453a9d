#include "weft/base/posix.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "weft/base/file.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

class Posix : public testing::Test {
 protected:
  Posix() {
    std::string name = fs::temp_directory_path() / "weft-posix-XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~Posix() override { fs::remove_all(directory_); }

  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(directory_), fs::directory_iterator());
  }
  fs::path directory_;
};

TEST_F(Posix, ADescriptorClosesItself) {
  int number = -1;
  {
    Fd file(::open("/dev/null", O_RDONLY));
    number = file.get();
    Fd moved = std::move(file);
    EXPECT_EQ(moved.get(), number);
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST_F(Posix, ErrnoBecomesACodeThatCallersActOn) {
  EXPECT_EQ(code_of_errno(ENOENT), ErrorCode::not_found);
  EXPECT_EQ(code_of_errno(EROFS), ErrorCode::denied);
  EXPECT_EQ(code_of_errno(EISDIR), ErrorCode::invalid_input);
  EXPECT_EQ(code_of_errno(ENOSPC), ErrorCode::unavailable);
  EXPECT_EQ(errno_error(ENOENT, "reading", "/x").message, "reading /x: No such file or directory");
}

TEST_F(Posix, AFileAsideLeavesNothingBehindUnlessItTookItsPlace) {
  const fs::path path = directory_ / "file";
  {
    FileAside aside(path);
    ASSERT_TRUE(aside.file());
    EXPECT_EQ(files(), 1);
  }
  EXPECT_EQ(files(), 0);
  {
    FileAside aside(path);
    EXPECT_EQ(write_all(aside.file().get(), "new"), 0);
    EXPECT_TRUE(aside.publish_new());
  }
  EXPECT_EQ(files(), 1);
  {
    FileAside late(path);
    EXPECT_FALSE(late.publish_new());
    EXPECT_EQ(errno, EEXIST);
    EXPECT_TRUE(late.replace());
  }
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(read_file(path).value(), "");
}

TEST_F(Posix, AFileThatOthersCanReadIsNotPrivate) {
  const fs::path path = directory_ / "secret";
  ASSERT_TRUE(write_file_atomically(path, "x", 0600));
  EXPECT_TRUE(check_private(Fd(::open(path.c_str(), O_RDONLY)).get(), path));
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  const Status open = check_private(Fd(::open(path.c_str(), O_RDONLY)).get(), path);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ErrorCode::denied);
  const Status folder = check_private(Fd(::open(directory_.c_str(), O_RDONLY)).get(), directory_);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::invalid_input);
}

}  // namespace
}  // namespace weft
