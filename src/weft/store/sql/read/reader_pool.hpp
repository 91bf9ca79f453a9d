// A few readers, lent out one at a time: reads come from any thread, and one that visits
// may ask again before it is done.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {

class Readers {
 public:
  explicit Readers(std::string path) : path_(std::move(path)) {}

  // Gives the reader back when it dies. The readers outlive it.
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
  // Opens another connection if all are out.
  Result<Lease> take();

 private:
  // More than this are closed when they come back: each has a cache of its own.
  static constexpr std::size_t kKept = 4;

  const std::string path_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Reader>> free_;  // guarded by mutex_
};

}  // namespace weft::store::sql
