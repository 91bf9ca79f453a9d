// Binds the owner's identity to an SSH key that people know, for `weft keys vouch`.
#pragma once

#include <string>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

// `key_file` is what ssh-keygen signs with: a private key, or a public one that an agent holds.
// Signs an attestation and commits it; a key that vouches already is not an error.
Answer vouch_by_ssh(const Context& context, const std::string& key_file);

}  // namespace weft::cli
