// Checks parts of a store by themselves, as they come: every CID and signature in them, the trees
// of the checkpoints in them, and whose conversations their structure is about. verify.hpp checks a
// store as a whole, and what follows only from all of it: that chains are complete, and what the
// store derives.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "weft/query/query_control.hpp"
#include "weft/store/store.hpp"

namespace weft::query {

struct RangeFinding {
  enum class Kind {
    bad,      // it is not what was signed
    missing,  // something refers to it, and it is not here
    foreign,  // structure by somebody else than the creator of the conversation
  };
  Kind kind = Kind::bad;
  Cid cid;             // Cid() if its name cannot be read
  std::string reason;  // without text of any thought
  friend bool operator==(const RangeFinding&, const RangeFinding&) = default;
};
std::string_view to_string(RangeFinding::Kind kind);

// Without a keyring: layers stay sealed, and nobody is taken for the owner. `creators` are those of
// the store's conversations (conversation_creators()). unavailable if the store cannot be read now.
Result<std::vector<RangeFinding>> check_ranges(const store::Store& store,
                                               const std::unordered_set<Cid>& creators,
                                               std::span<const store::ScanRange> ranges,
                                               const QueryControl& control);

}  // namespace weft::query
