// For tests of who may use a server: a client that runs as another user of the machine.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <thread>

namespace weft::net {

inline constexpr uid_t kAnotherUser = 65'533;

// Runs `what` on a thread of its own, as another user: the bare system call, unlike the function of
// the C library, changes the user of one thread. Returns false, without running it, if the test is
// not run by root, who alone can become another user.
template <class F>
bool run_as_another_user(F what) {
  bool has_run = false;
  std::thread([&] {
    if (::syscall(SYS_setresuid, kAnotherUser, kAnotherUser, kAnotherUser) != 0) return;
    what();
    has_run = true;
  }).join();
  return has_run;
}

}  // namespace weft::net
