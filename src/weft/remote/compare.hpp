// Compares what a remote has of a conversation with what a store has, thought by thought.
#pragma once

#include "weft/remote/push.hpp"

namespace weft::remote {

struct Difference {
  Named named;
  std::string where{};        // the file or the store
  std::uint64_t missing = 0;  // thoughts that are missing there, or other bytes
  bool mended = false;
};

// Compares each of these, which the remote claims to have as they are, with what `remote` has. What
// differs is written again through `writer`, whole, in the place of what is there; nothing is
// written if that is null. In a store, a thought that several conversations hold stays as it is
// there: if its bytes were changed, that is mended where it lies, by weft repair.
Result<std::vector<Difference>> compare_and_mend(const store::Store& store, const Remote& remote,
                                                 Remote* writer,
                                                 const std::vector<PushPlan::Send>& equal);

}  // namespace weft::remote
