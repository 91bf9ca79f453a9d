// weft, the program. What the commands do is in commands/.
#include <sys/stat.h>

#include "weft/cli/program.hpp"

int main(int argc, char** argv) {
  // Whatever weft writes, transcripts and keys among it, is for its owner alone.
  ::umask(077);
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return weft::cli::run(arguments, weft::cli::read_environment(), stdout, stderr);
}
