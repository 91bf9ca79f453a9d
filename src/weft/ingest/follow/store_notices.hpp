// Tells when a store's files are written, whichever process writes them.
#pragma once

#include <filesystem>

#include "weft/ingest/discover/inotify.hpp"

namespace weft::ingest {

// What is written can be read a moment later: SQLite tells its readers of a commit after the last
// byte of it, and of that there is no notice. Whoever looks waits for that long, and once more
// when all is quiet.
inline constexpr int kNoticeMs = 50;

class StoreNotices {
 public:
  // `store` is the store's file. It is open: as long as it is, its log is there.
  explicit StoreNotices(const std::filesystem::path& store) {
    std::filesystem::path log = store;
    log += "-wal";
    works_ = inotify_.add(log, IN_MODIFY).has_value();
  }

  // Readable when something was written since clear(); -1 where the system does not tell.
  int descriptor() const { return works_ ? inotify_.descriptor() : -1; }
  void clear() { inotify_.read(); }

 private:
  Inotify inotify_;
  bool works_ = false;
};

}  // namespace weft::ingest
