// The program as a function: from the arguments of the command line to an exit code.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "weft/cli/app/home.hpp"

namespace weft::cli {

// `arguments` are those after the program's name. Exit codes: see answer.hpp. With --json there is
// one JSON document on `out` in every case, wrong usage included.
int run(const std::vector<std::string>& arguments, const Environment& environment, std::FILE* out,
        std::FILE* err);

}  // namespace weft::cli
