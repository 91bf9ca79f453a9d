// The checks of weft doctor that concern the store: its file, its owner, its contents, its lock.
#pragma once

#include <optional>
#include <vector>

#include "weft/cli/upkeep/health.hpp"

namespace weft::cli {

// The home's keyring as far as it could be read without asking anybody.
struct KeyringState {
  std::optional<crypto::Keyring> keyring{};
  bool is_locked = false;    // it has a passphrase
  bool is_unopened = false;  // and nobody gave it
  Error error{};             // if there is no keyring
};

std::vector<Check> check_store(const Home& home, const KeyringState& keyring);

// Names the processes that write to the store at this moment, or follow its sources.
std::vector<Check> check_lock(const Home& home);

}  // namespace weft::cli
