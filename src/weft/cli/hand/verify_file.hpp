// Checks a file that was handed on: a proof, or the thoughts of an export. Needs no store and no
// keyring; a keyring says whether the file is one's own.
#pragma once

#include <optional>
#include <string>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// Whether a name on the command line is that of a file to check.
bool is_file_to_verify(const std::string& name);

// Prints what holds. `owner`: the key ("ed25519:…") that the file must be of. Exit code 1 if
// anything is bad, also if the file is neither a proof nor thoughts.
Answer verify_file(const Context& context, const std::string& path,
                   const std::optional<std::string>& owner);

}  // namespace weft::cli
