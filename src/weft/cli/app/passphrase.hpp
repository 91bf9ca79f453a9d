// Passphrases: asked for on the terminal, without showing what is typed, or read from
// the file that WEFT_PASSPHRASE_FILE names.
#pragma once

#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/app/home.hpp"

namespace weft::cli {

// denied if there is neither a file nor a terminal. The caller wipes it.
Result<std::string> ask_passphrase(const Environment& environment);

// For a new keyring: asked twice on the terminal. invalid_input if the two differ or it
// is empty.
Result<std::string> choose_passphrase(const Environment& environment);

}  // namespace weft::cli
