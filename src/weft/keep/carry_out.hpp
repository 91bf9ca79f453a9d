// Carries out a tombstone that was pushed to a web by somebody who may not remove anything there.
//
// It counts if the creator of a conversation signed it. What they signed has to name everything
// that would be referred to and gone; if somebody came to refer to more since, they have to sign
// again.
#pragma once

#include <string>
#include <vector>

#include "weft/store/store.hpp"

namespace weft::keep {

struct CarriedOut {
  enum class State {
    nothing,  // no conversation that it lists is here, or it is well signed by nobody
    done,
    waiting,  // `why` says for what
  };
  State state = State::nothing;
  Cid tombstone;
  std::vector<Cid> conversations{};  // that were removed, or wait
  std::uint64_t thoughts = 0;        // that were removed
  std::string why{};
};

// The bytes of what was removed are in the store's files until Forgetting::scrub(). unavailable and
// conflict if it may be tried again.
Result<CarriedOut> carry_out(store::Store& store, const Cid& tombstone);

}  // namespace weft::keep
