// The processes that hold a lock on a file, as the system lists them in /proc/locks.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "weft/store/open.hpp"

namespace weft::cli {

struct LockHolder {
  pid_t pid = 0;
  std::string command{};  // its command line, shortened; empty if it cannot be read

  friend bool operator==(const LockHolder&, const LockHolder&) = default;
};

// The processes with an exclusive lock on a file (fcntl or flock), without this one. Empty if there
// are none, or where there is no /proc.
std::vector<LockHolder> lock_holders(const std::filesystem::path& path);

// The processes that are writing to a store, without this one.
std::vector<LockHolder> store_writers(const store::StoreUrl& store);

// "process 4711 (weft serve) and process 4712 (weft watch)"; empty for none.
std::string described(const std::vector<LockHolder>& holders);

}  // namespace weft::cli
