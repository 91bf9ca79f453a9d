// The entry point of weft. The commands are in commands/.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/cli/app/program.hpp"

#ifndef __has_feature  // g++ has none
#define __has_feature(feature) 0
#endif

namespace {

// If a standard stream is closed, the next file opened would get its descriptor, and output for the
// stream would be written into the file.
void hold_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0) ::_exit(3);
  }
}

constexpr bool kFindsLeaks =
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
    true;
#else
    false;
#endif

// Keys and opened reasoning are in memory: a crash must not write them to a core file, and no other
// program of this user may read them there.
void keep_memory_private() {
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &none);
  // The search for leaks at the end of a sanitized program reads its memory as a debugger does.
  if (!kFindsLeaks) ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace

int main(int argc, char** argv) {
  keep_memory_private();
  hold_standard_streams();
  // Files that weft writes, transcripts and keys among them, are for their owner alone.
  ::umask(077);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return weft::cli::run(arguments, weft::cli::read_environment(), stdout, stderr);
}
