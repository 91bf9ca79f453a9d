// Notes: empty commits on a ref of weft's own, the one thing that weft writes to a repository.
#pragma once

#include <string>

#include "weft/base/time.hpp"
#include "weft/git/repository.hpp"

namespace weft::git {

// Adds an empty commit with this message on top of `ref` ("refs/weft/…"), or as its first one. No
// file, branch or index changes, and no hook runs. Returns its name. not_found if git is not
// installed; invalid_input if git fails, or if somebody else moved the ref meanwhile.
Result<std::string> append_note(const Repository& repository, const std::string& ref,
                                const std::string& message, Millis time);

}  // namespace weft::git
