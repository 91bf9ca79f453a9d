// Thoughts: reads single thoughts of a store, by CID or by its first digits.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "weft/thought/thought.hpp"

namespace weft::store {

// Thoughts are written once and never change. Connections are thoughts too. Layers come sealed, as
// they are stored.
class Thoughts {
 public:
  virtual ~Thoughts() = default;

  // Whether the thought is stored. False for a CID that others only refer to.
  [[nodiscard]] virtual Result<bool> has(const Cid& cid) const = 0;

  // The thought with its signature, tree path included. not_found if it is not stored; the message
  // names the tombstone if it was forgotten. corrupt if its bytes cannot be read; whether they
  // still hash to `cid` is for the caller to check.
  [[nodiscard]] virtual Result<thought::Thought> get(const Cid& cid) const = 0;

  // get() without tree paths, for callers that do not check signatures: a path is computed from all
  // leaves of its checkpoint, which may be thousands.
  [[nodiscard]] virtual Result<thought::Thought> get_without_path(const Cid& cid) const = 0;

  // The stored thought that stands for one that was sealed (`weft seal`), as a tombstone says;
  // empty for any other. The one that was sealed is not stored.
  [[nodiscard]] virtual Result<std::optional<Cid>> sealed_as(const Cid& clear) const = 0;

  // Up to `limit` CIDs of stored thoughts that begin with these hex digits, in order. invalid_input
  // if `hex` is not 0 to 64 lower-case hex digits.
  [[nodiscard]] virtual Result<std::vector<Cid>> find_by_prefix(std::string_view hex,
                                                                std::size_t limit) const = 0;
};

}  // namespace weft::store
