// Inotify: notices of changes in folders and files, as values.
#pragma once

#include <sys/inotify.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "weft/base/result.hpp"

namespace weft {

struct Notice {
  int watch = -1;  // as add() returned it; -1 where notices were lost
  std::uint32_t what = 0;
  std::string name{};  // in the watched folder; empty for the watched path itself

  bool is(std::uint32_t any_of) const { return (what & any_of) != 0; }
};

// Used by one thread.
class Inotify {
 public:
  // Watches at most `most` paths, and no more than the system allows.
  explicit Inotify(std::size_t most = std::numeric_limits<std::size_t>::max());
  ~Inotify();
  Inotify(const Inotify&) = delete;
  Inotify& operator=(const Inotify&) = delete;

  // Readable when there are notices; -1 where the system gives none.
  int descriptor() const { return descriptor_; }
  std::size_t watched() const { return watches_.size(); }

  // Watches `path` for `what` (IN_…), links followed, and returns the number of the watch. Adds
  // `what` to a path that is watched already, under the same number. unavailable if no more can be
  // watched; not_found, denied.
  Result<int> add(const std::filesystem::path& path, std::uint32_t what);
  // An unknown number is not an error.
  void remove(int watch);
  // The pending notices, in order. Never waits.
  std::vector<Notice> read();

 private:
  int descriptor_;
  std::size_t most_;
  std::set<int> watches_;
};

}  // namespace weft
