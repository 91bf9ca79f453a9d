#include "weft/base/file_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace weft {
namespace {

class Locks : public testing::Test {
 protected:
  Locks() {
    std::string name = std::filesystem::temp_directory_path() / "weft-lock-XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~Locks() override { std::filesystem::remove_all(directory_); }
  std::filesystem::path directory_;
};

TEST_F(Locks, OneHoldsUntilItLetsGo) {
  const std::filesystem::path path = directory_ / "lock";
  {
    const Result<FileLock> first = FileLock::try_acquire(path);
    ASSERT_TRUE(first) << first.error().message;
    const Result<FileLock> second = FileLock::try_acquire(path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::unavailable);
  }
  EXPECT_TRUE(FileLock::try_acquire(path));
}

TEST_F(Locks, WhoeverWaitsGetsItWhenItsHolderDies) {
  const std::filesystem::path path = directory_ / "lock";
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<FileLock> lock = FileLock::try_acquire(path);
    if (::write(ends[1], "x", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char ready = 0;
  ASSERT_EQ(::read(ends[0], &ready, 1), 1);
  EXPECT_FALSE(FileLock::try_acquire(path));
  ::kill(child, SIGKILL);
  EXPECT_TRUE(FileLock::acquire(path));
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(Locks, SaysWhyThereIsNone) {
  const Result<FileLock> nowhere = FileLock::try_acquire(directory_ / "no/lock");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace weft
