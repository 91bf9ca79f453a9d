// The system's notices of what happens in folders and to files (inotify), as values.
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

namespace weft::ingest {

struct Notice {
  int watch = -1;  // what add() gave; -1 where notices were lost
  std::uint32_t what = 0;
  std::string name{};  // in the watched folder; empty where it is of the watched thing itself

  bool is(std::uint32_t any_of) const { return (what & any_of) != 0; }
};

// Used by one thread.
class Inotify {
 public:
  // At most `most` things are watched, and no more than the system allows.
  explicit Inotify(std::size_t most = std::numeric_limits<std::size_t>::max());
  ~Inotify();
  Inotify(const Inotify&) = delete;
  Inotify& operator=(const Inotify&) = delete;

  // Readable when there are notices; -1 where the system has none to give.
  int descriptor() const { return descriptor_; }
  std::size_t watched() const { return watches_.size(); }

  // Watches for `what` (IN_…), links followed; of what is watched already for that too, and its
  // number is the same. unavailable if no more can be watched; not_found, denied.
  Result<int> add(const std::filesystem::path& path, std::uint32_t what);
  // A number that is not known any more is not an error.
  void remove(int watch);
  // Those that wait, in order; never waits itself.
  std::vector<Notice> read();

 private:
  int descriptor_;
  std::size_t most_;
  std::set<int> watches_;
};

}  // namespace weft::ingest
