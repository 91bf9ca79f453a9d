// Referrers: the thoughts of an import that rest on each CID.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/store/import/outlines.hpp"

namespace weft::ingest {

class Referrers {
 public:
  explicit Referrers(const store::Outlines& outlines);

  // Numbers of thoughts that name this CID as source, cause, end of a connection (unless it need
  // not be here) or signing checkpoint, and checkpoints of this conversation.
  std::span<const std::uint32_t> of(std::uint32_t cid) const {
    return std::span(thoughts_).subspan(first_[cid], first_[cid + std::size_t{1}] - first_[cid]);
  }

 private:
  std::vector<std::uint32_t> first_, thoughts_;
};

}  // namespace weft::ingest
