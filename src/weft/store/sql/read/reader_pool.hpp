// Readers: a pool of readers of one store, for any thread. One question may need a second reader
// before the first is back.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {

class Readers {
 public:
  // `open` makes a connection for reading.
  explicit Readers(std::function<Result<Database>()> open) : open_(std::move(open)) {}

  // Returns its reader to the pool when it is destroyed. The pool outlives it.
  class Lease {
   public:
    Lease(Readers& owner, std::unique_ptr<Reader> reader)
        : owner_(&owner), reader_(std::move(reader)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    Reader* operator->() const { return reader_.get(); }

   private:
    Readers* owner_;
    std::unique_ptr<Reader> reader_;
  };
  // Opens another connection if none is free.
  Result<Lease> take();
  // Closes the free readers, for what they remember of the store is not true any more.
  void clear();

 private:
  // More than this are closed when they are returned: each has a cache of its own.
  static constexpr std::size_t kKept = 4;

  const std::function<Result<Database>()> open_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Reader>> free_;  // guarded by mutex_
};

}  // namespace weft::store::sql
