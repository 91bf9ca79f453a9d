// Sleeps until something is committed to a store, by whichever process.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "weft/base/result.hpp"

namespace weft::store {

class Notices {
 public:
  // `store` is the store's file. What is committed from now on is noticed. unavailable if the
  // system has no more watches.
  static Result<Notices> open(const std::filesystem::path& store);
  Notices(Notices&& other) noexcept
      : names_(std::move(other.names_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  Notices& operator=(Notices&&) = delete;
  ~Notices();

  // Readable when something may have been committed.
  int descriptor() const { return descriptor_; }
  // True if the store's files were written since it was last asked. Several writes are told of
  // once.
  bool take() const;

 private:
  Notices(std::string names, int descriptor) : names_(std::move(names)), descriptor_(descriptor) {}

  std::string names_;  // with which those of the store's files begin
  int descriptor_;
};

}  // namespace weft::store
