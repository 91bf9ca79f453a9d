// Limits the memory that SQLite may allocate for one connection. SQLite itself has a limit for the
// whole process only.
//
//   MemoryLimit::Budget budget{.left = 192 << 20};
//   const MemoryLimit limit(budget);   // while it lives, on this thread
//   sqlite3_step(statement);           // SQLITE_NOMEM rather than more than that
#pragma once

#include <cstdint>

namespace weft::sqlite {

// Before SQLite is initialised.
void install_memory_limit();

class MemoryLimit {
 public:
  struct Budget {
    std::int64_t left = 0;     // goes down with each allocation and up with each release
    bool is_exceeded = false;  // an allocation was refused
  };
  // `budget` outlives it.
  explicit MemoryLimit(Budget& budget);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
};

}  // namespace weft::sqlite
