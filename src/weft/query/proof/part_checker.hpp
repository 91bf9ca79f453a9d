// Checks a part of a web on its own: that every thought in it is what its creator signed, that the
// owner put each into a conversation, and that all of it is there because of the subject. It needs
// no store and no key. The rules are those of docs/formats/proof.md; docs/verify/part.mjs holds
// them a second time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/query/proof/proof.hpp"

namespace weft::query {

struct PartFinding {
  Cid cid;
  std::string reason;
  friend bool operator==(const PartFinding&, const PartFinding&) = default;
};

// What a part holds. The counts are of blocks, and of other thoughts that causes lead to, but for
// the last two.
struct PartReport {
  std::vector<PartFinding> bad{};  // empty: everything holds
  std::string owner_name{}, owner_key{};
  std::uint64_t whole = 0;      // readable,
  std::uint64_t sealed = 0;     // signed with a layer closed: some or all of it cannot be read
  std::uint64_t stubs = 0;      // only who signed
  std::uint64_t witnessed = 0;  // of those that are no stubs: weft record heard them
  std::uint64_t edges = 0, checkpoints = 0;
  bool holds() const { return bad.empty(); }
};

PartReport check_part(const Proof& proof);

}  // namespace weft::query
