// Writer: adds thoughts to a store.
//
//   Batch batch{.units = units};                                 // woven and signed
//   const Plaintexts texts = store.writer().prepare(batch, indexer);  // on any thread
//   WEFT_TRY_VALUE(auto committed, store.writer().commit(batch));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/store/import/outlines.hpp"
#include "weft/store/indexer.hpp"
#include "weft/store/sources.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::store {

// When a commit is on the disk. Either survives the end of the process at any moment; `now` also
// survives a power failure, and costs a flush of the disk.
enum class Sync { later, now };

// The thoughts of a batch, encoded for one kind of store. Opaque.
class Prepared {
 public:
  virtual ~Prepared() = default;
};

// One commit: any number of conversations at once.
struct Batch {
  std::vector<weave::CommitUnit> units{};
  // Progress in the sources that the units come from.
  std::vector<SourceUpdate> sources{};
  Sync sync = Sync::later;
  // Set by prepare(), of the same store. commit() prepares the units itself if it is null, without
  // keys: then only clear text can be found. Shared because a batch may be copied.
  std::shared_ptr<const Prepared> prepared{};
};

// For each unit of a batch, the plaintext of each of its thoughts: canonical JSON of its clear
// content, then of each layer that the keyring opens. Empty where it is longer than kMaxPlaintext.
inline constexpr std::size_t kMaxPlaintext = 3u << 20;
using Plaintexts = std::vector<std::vector<std::string>>;

struct Committed {
  std::uint64_t new_thoughts = 0;          // without checkpoints and facts
  std::vector<std::uint64_t> new_by_unit;  // in the order of Batch::units
};

// A commit is all or nothing. Calls may come from any thread; one writes at a time, and the others
// wait, in other processes too.
class Writer {
 public:
  virtual ~Writer() = default;

  // Encodes the units of `batch` and extracts their search terms: a third of the work of a commit,
  // done without the store. Units must not change afterwards. Returns the plaintexts, which it
  // needs anyway.
  virtual Plaintexts prepare(Batch& batch, const Indexer& indexer) const = 0;

  // Thoughts that are stored already are not an error: they keep their signatures, and are leaves
  // of the new checkpoint all the same. conflict if a conversation was added to since its weaving
  // began, if a thought that was known then is gone, or if a source has another revision: weave
  // again on the new state. unavailable, with the store and the reason, on a full disk, or if
  // another process wrote for more than 30 seconds.
  [[nodiscard]] virtual Result<Committed> commit(const Batch& batch) = 0;

  // Adds thoughts of another store, which the caller has checked, with their signatures, in any
  // order. The conversations they belong to follow from the thoughts; thoughts that belong to none
  // are stored too. Each is read up to three times, so that memory does not grow with them beyond
  // their outlines. invalid_input if a connection has unknown members, or if a conversation was
  // forgotten here.
  [[nodiscard]] virtual Result<Committed> import(const ThoughtsToImport& thoughts,
                                                 const Indexer& indexer) = 0;
  // The same for thoughts in memory.
  [[nodiscard]] Result<Committed> import(const std::vector<thought::Thought>& thoughts,
                                         const Indexer& indexer);

  // Rebuilds the search index from the stored thoughts. `progress` is called with how many of how
  // many are done. All or nothing: the previous index stays in use until the new one is complete.
  [[nodiscard]] virtual Status reindex(
      const Indexer& indexer,
      const std::function<void(std::uint64_t done, std::uint64_t all)>& progress) = 0;
};

}  // namespace weft::store
