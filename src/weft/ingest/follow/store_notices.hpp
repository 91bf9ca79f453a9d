// Notices of writes to a store's files, by whichever process.
#pragma once

#include <filesystem>

#include "weft/ingest/discover/inotify.hpp"

namespace weft::ingest {

// A commit can be read a moment after its notice: SQLite publishes it to readers after the last
// byte of the log, and that gives no notice. A reader waits this long, and looks once more when
// there are no more notices.
inline constexpr int kNoticeMs = 50;

class StoreNotices {
 public:
  // `store` is the store's file. The store is open, so its log exists.
  explicit StoreNotices(const std::filesystem::path& store) {
    std::filesystem::path log = store;
    log += "-wal";
    works_ = inotify_.add(log, IN_MODIFY).has_value();
  }

  // Readable when something was written since clear(); -1 where the system gives no notices.
  int descriptor() const { return works_ ? inotify_.descriptor() : -1; }
  void clear() { inotify_.read(); }

 private:
  Inotify inotify_;
  bool works_ = false;
};

}  // namespace weft::ingest
