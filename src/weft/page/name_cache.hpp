// NameCache: the names of all projects and tools, for suggestions at each key.
//
// Collecting them reads a row of every conversation, so they are kept until the store has a newer
// checkpoint, and for two seconds in any case: a name may be suggested that much longer than there
// is a conversation with it.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "weft/query/library.hpp"

namespace weft::page {

struct Names {
  std::set<std::string> projects{}, tools{};
};

// May be used from any thread.
class NameCache {
 public:
  // unavailable if `stop` was requested.
  Result<std::shared_ptr<const Names>> read(const query::Library& library, std::stop_token stop);

 private:
  std::mutex mutex_;
  std::shared_ptr<const Names> names_;           // guarded by mutex_; null at first
  std::optional<Cid> checkpoint_;                // guarded by mutex_: at which they were collected
  std::chrono::steady_clock::time_point asked_;  // guarded by mutex_: when that was the newest
};

}  // namespace weft::page
