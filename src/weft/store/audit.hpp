// Audit: reads a store as a whole, for `weft verify`.
//
//   WEFT_TRY_VALUE(auto ranges, store.audit().scan_ranges());
//   for (const ScanRange& range : ranges) WEFT_TRY(store.audit().inspect(range, inspector));
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/thought/connection.hpp"

namespace weft::store {

// A thought with the canonical form that is hashed, made from the stored bytes. Its content is
// parsed only for identities and checkpoints, which other thoughts are checked with.
struct CanonicalThought {
  thought::Thought thought{};
  std::string canonical{};
};

// A part of the store, some thousand thoughts or fewer. Opaque: only the store that returned it can
// read it.
struct ScanRange {
  std::array<std::int64_t, 2> token{};
};

// The callbacks of inspect(). Arguments are valid until the callback returns.
struct Inspector {
  std::function<void(const CanonicalThought& thought)> thought;
  // `name` is empty for a connection whose CID is not stored: the caller computes it, and the tree
  // that signs the connection proves it.
  std::function<void(const std::optional<Cid>& name, const thought::Connection& connection)>
      connection;
  // A CID that a stored thought refers to and that is not stored.
  std::function<void(const Cid& name)> dangling;
  // A thought that cannot be read, and why; Cid() if its name cannot be read either.
  std::function<void(const Cid& name, const std::string& reason)> broken;
};

// May be used from several threads at once.
class Audit {
 public:
  virtual ~Audit() = default;

  // The store as it is now, in parts that can be inspected in parallel. Later commits are in none
  // of them.
  [[nodiscard]] virtual Result<std::vector<ScanRange>> scan_ranges() const = 0;
  // Calls `inspector` with every thought, connection and dangling CID of a part, from this thread.
  // Tree signatures come without their paths, which follow from leaves().
  [[nodiscard]] virtual Status inspect(const ScanRange& range,
                                       const Inspector& inspector) const = 0;

  // All checkpoints in the order committed: the head of heads is their running hash.
  [[nodiscard]] virtual Result<std::vector<Cid>> checkpoint_log() const = 0;
  // The leaves that a checkpoint signs. Empty if the store does not have the whole tree (imports).
  // A leaf that was deleted together with its name is Cid().
  [[nodiscard]] virtual Result<std::vector<Cid>> leaves(const Cid& checkpoint) const = 0;
};

}  // namespace weft::store
