// Keeps a store up to date with its sources, in the background.
//
// Nothing happens before it is asked for. Of several processes with one home, the one that holds
// the lock file takes in; the others read what it took in.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "weft/ingest/ingest.hpp"

namespace weft::ingest {

class Keeper {
 public:
  // All but `options` and `lock` outlive it. `keyring` can sign.
  Keeper(store::Store& store, const crypto::Keyring& keyring, Options options,
         std::filesystem::path lock);
  ~Keeper();  // stop()
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // Sees to it that what the sources hold is taken in: begins to, unless that is under way or
  // has just been done. The first time, waits a moment for it to be through.
  void refresh();

  // How far the first ingest is, as long as it is under way; empty before and after.
  std::optional<Progress> first_progress() const;
  // Why the last one failed; empty if it did not.
  std::optional<Error> failure() const;

  // What is under way is cut short at the next commit, and nothing begins any more.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::ingest
