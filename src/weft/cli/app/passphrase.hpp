// Passphrases: read from the terminal without echo, or from the file that WEFT_PASSPHRASE_FILE
// names.
#pragma once

#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/app/home.hpp"

namespace weft::cli {

// denied if there is neither a file nor a terminal. The caller wipes it.
Result<std::string> ask_passphrase(const Environment& environment);

// For a new keyring: asks twice on the terminal. invalid_input if the two differ or are empty.
Result<std::string> choose_passphrase(const Environment& environment);

}  // namespace weft::cli
