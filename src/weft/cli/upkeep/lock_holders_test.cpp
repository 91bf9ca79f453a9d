// Which process holds a lock: the one that does, by its id.
#include "weft/cli/upkeep/lock_holders.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "weft/base/file_lock.hpp"
#include "weft/cli/app/scratch_for_test.hpp"

namespace weft::cli {
namespace {

TEST(LockHolders, AreFoundInAnotherProcessAndNotInThisOne) {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("lock", "");
  EXPECT_TRUE(lock_holders(path).empty());
  {
    const auto mine = FileLock::try_acquire(path);
    ASSERT_TRUE(mine);
    EXPECT_TRUE(lock_holders(path).empty());
  }
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = FileLock::try_acquire(path);
    if (::write(ready[1], held ? "y" : "n", 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  const std::vector<LockHolder> holders = lock_holders(path);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(holders.size(), 1u);
  EXPECT_EQ(holders[0].pid, child);
  EXPECT_NE(described(holders).find("process " + std::to_string(child) + " (cli_test"),
            std::string::npos)
      << described(holders);
  EXPECT_TRUE(lock_holders(path).empty());
}

TEST(LockHolders, OfAFileThatIsMissingAreNone) {
  const ScratchDirectory scratch;
  EXPECT_TRUE(lock_holders(scratch / "none").empty());
  EXPECT_TRUE(store_writers(store::StoreUrl::parse(scratch / "weft.db").value()).empty());
  EXPECT_EQ(described({}), "");
}

}  // namespace
}  // namespace weft::cli
