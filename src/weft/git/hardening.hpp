// Hardening: keeps git from running what a repository names.
#pragma once

#include <string>
#include <vector>

#include "weft/git/repository.hpp"

namespace weft::git {

// Switches that come before the name of every command.
std::vector<std::string> hardened(const Repository& repository);
// The whole environment of git.
std::vector<std::string> environment_for(const Repository& repository);

}  // namespace weft::git
