// StoreChecks: the checks of what is not signed in a store (store/derived.hpp), as pieces of the
// same parallel loop that checks signatures.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/store/store.hpp"

namespace weft::query {

// A check that the store itself cannot do, such as opening its archive. From any thread.
using FurtherCheck = std::function<Result<std::vector<store::StoreFinding>>()>;

class StoreChecks {
 public:
  // Both outlive it.
  static Result<std::unique_ptr<StoreChecks>> prepare(const store::Store& store,
                                                      const crypto::Keyring* keyring,
                                                      store::CheckDepth depth,
                                                      const std::vector<FurtherCheck>& further);

  std::size_t size() const { return checks_.size() + further_.size(); }
  // Each once, from any thread.
  void run(std::size_t index);

  // --- when all have run ---------------------------------------------------------------
  // An error if a check failed.
  Status status() const { return status_; }
  bool has_found() const { return !found_.empty(); }
  // [{table, what, cid?, cure}], sorted.
  json::array findings();
  // Sentences for people: what could not be checked.
  json::array notes() const;

 private:
  StoreChecks(const store::Store& store, const crypto::Keyring* keyring,
              const std::vector<FurtherCheck>& further)
      : store_(store), keyring_(keyring), further_(further) {}

  const store::Store& store_;
  const crypto::Keyring* const keyring_;  // may be null
  const std::vector<FurtherCheck>& further_;
  std::vector<store::StoreCheck> checks_;
  bool has_sums_ = true;
  std::mutex mutex_;
  std::vector<store::StoreFinding> found_;  // guarded by mutex_
  Status status_;                           // guarded by mutex_
};

}  // namespace weft::query
