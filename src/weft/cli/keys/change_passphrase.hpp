// Changes the passphrase of the keyring (weft keys passphrase): sets, replaces or removes it.
#pragma once

#include <optional>
#include <string>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

struct PassphraseOptions {
  bool remove = false;
  std::optional<std::string> new_file{};  // where the new one is read from; empty: the terminal
};

// The keys stay the same, and so does the store. A process that is killed leaves the keyring under
// the old passphrase or the new one.
Answer change_passphrase(const Context& context, const PassphraseOptions& options);

}  // namespace weft::cli
