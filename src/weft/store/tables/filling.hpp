// Filling: computes the rows of tables that a newer version of the store has added.
//
// A migration creates such tables empty, so that it takes no time. Commits keep the rows of new
// conversations; those of older ones are computed here, newest first, a little at a time. Until
// then whoever needs a missing row computes it, so answers are right, and only slower. The same
// goes for a search index of an older version, which answers until it is carried over, and for
// merging that commits have left (store/inverted/inverted_index.hpp).
//
//   for (bool more = true; more && !is_stopped;) {
//     WEFT_TRY_VALUE(more, store.filling().fill(keyring, 50ms));
//   }
#pragma once

#include <chrono>
#include <cstdint>

#include "weft/base/result.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::store {

// Conversations, in the table that is farthest behind.
struct FillProgress {
  std::uint64_t done = 0, all = 0;
  friend bool operator==(const FillProgress&, const FillProgress&) = default;
};

// May be used from any thread.
class Filling {
 public:
  virtual ~Filling() = default;

  [[nodiscard]] virtual Result<FillProgress> progress() const = 0;

  // Computes rows for about as long as `work`, or those of one conversation, in one transaction;
  // while it reads, others may write. False if nothing is left to do; rows are not computed if the
  // keyring does not open both layers. A process that is killed loses what this call did only.
  [[nodiscard]] virtual Result<bool> fill(const crypto::Keyring& keyring,
                                          std::chrono::milliseconds work) = 0;
};

// What one call of fill() should take where others wait for the store.
inline constexpr std::chrono::milliseconds kFillStep{50};

}  // namespace weft::store
