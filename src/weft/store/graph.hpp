// Graph: follows the references between thoughts, along connections and along `because`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "weft/thought/connection.hpp"

namespace weft::store {

// Which end of its connections a thought is at.
enum class Direction { from, to, both };

// An unknown thought has no references: the answer is empty, and not an error.
class Graph {
 public:
  virtual ~Graph() = default;

  // The connections at `cid`, of one relation if it is given. Those from it come first; each side
  // is ordered by index, then as woven.
  [[nodiscard]] virtual Result<std::vector<thought::Connection>> connections(
      const Cid& cid, std::optional<std::string_view> relation, Direction direction) const = 0;

  // The other ends of the same connections. Faster: no signatures are read.
  [[nodiscard]] virtual Result<std::vector<Cid>> neighbours(const Cid& cid,
                                                            std::string_view relation,
                                                            Direction direction) const = 0;
  // The other ends of those that `creator` made: structure counts only by the creator of its
  // conversation (thought/structure.hpp).
  [[nodiscard]] virtual Result<std::vector<Cid>> neighbours_by(const Cid& creator, const Cid& cid,
                                                               std::string_view relation,
                                                               Direction direction) const = 0;

  // The thoughts with `cid` in their `because`, in the order stored; of a sealed thought also those
  // that rest on what it stands for (Thoughts::sealed_as).
  [[nodiscard]] virtual Result<std::vector<Cid>> effects(const Cid& cid) const = 0;
};

}  // namespace weft::store
