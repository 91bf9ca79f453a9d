// Sealing: stored thoughts are replaced by sealed forms of themselves. Conversations stay as they
// are, and whoever has the keys still reads them.
//
//   WEFT_TRY_VALUE(auto held, store.forgetting().holders(cid));   // by these conversations
//   store.writer().prepare(request.batch, request.indexer);
//   WEFT_TRY(store.forgetting().seal(request));
//   WEFT_TRY_VALUE(auto scrubbed, store.forgetting().scrub());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/store/writer.hpp"

namespace weft::store {

struct SealRequest {
  struct Replaced {
    Cid clear;                         // removed; its name, its leaves and what rests on it stay
    Cid sealed;                        // stands at its places from now on
    std::vector<Cid> conversations{};  // all that hold it
  };
  // A source that such conversations stand in.
  struct Source {
    struct Piece {
      std::uint64_t generation = 0;
      Segment segment;  // of the same bytes, with another dictionary
    };
    SourceKey key{};
    std::uint64_t revision = 0;  // that was read
    std::string state{};         // sealed; names what is sealed instead of what is removed
    std::vector<Piece> pieces{};
  };

  // For each conversation that holds one of them: the sealed thoughts, the edges that lead to them
  // and from them, and a checkpoint. Prepared, so that the sealed text is found by its keys.
  Batch batch{};
  std::vector<Replaced> replaced{};
  thought::Thought tombstone;  // signed; says which thought stands for which
  thought::Thought owner;      // the identity that signed it
  std::vector<Source> sources{};
  Indexer indexer{};  // with which they were indexed; with other keys the index is rebuilt
};

}  // namespace weft::store
