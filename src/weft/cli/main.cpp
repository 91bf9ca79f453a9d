// The entry point of weft. The commands are in commands/.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/cli/app/program.hpp"

namespace {

// If a standard stream is closed, the next file opened would get its descriptor, and output for the
// stream would be written into the file.
void hold_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0) ::_exit(3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  // Files that weft writes, transcripts and keys among them, are for their owner alone.
  ::umask(077);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return weft::cli::run(arguments, weft::cli::read_environment(), stdout, stderr);
}
