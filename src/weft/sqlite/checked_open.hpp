// Makes sure that SQLite opens the file that was checked, and not one that took its place since.
//
// SQLite opens by name, and gives away neither its descriptor nor the time between opening and
// reading. So the system call with which it opens is wrapped: while a CheckedOpen lives, on its
// thread, a file opened under its path that is not the checked one is closed again unread, and
// SQLite sees that opening failed.
#pragma once

#include <cstdint>
#include <string>

namespace weft::sqlite {

// Before the first database is opened: no other thread may be inside SQLite.
void wrap_open();

class CheckedOpen {
 public:
  CheckedOpen(std::string path, std::uint64_t device, std::uint64_t inode);
  ~CheckedOpen();
  CheckedOpen(const CheckedOpen&) = delete;
  CheckedOpen& operator=(const CheckedOpen&) = delete;

  // SQLite has opened the path, and it was the checked file.
  bool has_matched() const { return has_matched_; }

 private:
  friend int open_checked(const char* path, int flags, int mode);

  const std::string path_;
  const std::uint64_t device_, inode_;
  bool has_matched_ = false;
};

}  // namespace weft::sqlite
