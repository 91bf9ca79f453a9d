// Passphrases: read from the terminal without echo, or from the file that WEFT_PASSPHRASE_FILE
// names.
#pragma once

#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/app/home.hpp"

namespace weft::cli {

// The passphrase of a keyring. denied if there is neither a file nor a terminal. The caller wipes
// it.
Result<std::string> ask_passphrase(const Environment& environment);

// A new passphrase: read from `file`, or asked for twice on the terminal. invalid_input if the two
// differ or are empty. The caller wipes it.
Result<std::string> choose_passphrase(const std::optional<std::string>& file);

// The first line of a file that only its owner can read. denied if others can; invalid_input if it
// is empty, or not a regular file. The caller wipes it.
Result<std::string> read_passphrase(const std::string& path);

}  // namespace weft::cli
