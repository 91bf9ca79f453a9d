// SampleStore: the sample conversation in a store and under a keyring of its own, for a
// demonstration that leaves nothing behind.
#pragma once

#include <filesystem>
#include <memory>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

class SampleStore {
 public:
  // In a temporary folder for this user alone, removed with this object. unavailable if it cannot
  // be made.
  static Result<std::unique_ptr<SampleStore>> create();
  ~SampleStore();
  SampleStore(const SampleStore&) = delete;
  SampleStore& operator=(const SampleStore&) = delete;

  const Opened& opened() const { return opened_; }

 private:
  explicit SampleStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  Opened opened_{};
};

}  // namespace weft::cli
