// Sources: the files that were ingested: how far, in what state, and their archived bytes.
//
// Everything that would reveal a file's content is sealed or keyed before it comes here; the store
// keeps it as bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/weave/commit_unit.hpp"

namespace weft::store {

using SourceKey = weave::PlaceKey;  // the keyed hash of a file's path

struct Source {
  SourceKey key{};
  // Incremented by every change: an update names the revision that was read.
  std::uint64_t revision = 0;
  std::string format;
  std::string about;                    // sealed: its path and project
  std::uint64_t device = 0, inode = 0;  // the file that was read
  std::int64_t modified_ns = 0;
  std::uint64_t size = 0;    // of the file when it was last read
  std::uint64_t offset = 0;  // woven up to here
  std::uint64_t lines = 0;   // that end before `offset`
  // Archived up to here. 0 although `size` is not: nothing of it may be archived, because a
  // conversation in it was forgotten.
  std::uint64_t archived = 0;
  std::string fingerprint;  // keyed hash of both ends of the archived bytes
  // Of the archive: incremented when the file was rewritten. Earlier generations are kept only if
  // they contain something that the newest does not.
  std::uint64_t generation = 0;
  std::int64_t adapter_version = 0, weave_version = 0;
  Millis ingested_at = 0;
  std::string state;  // sealed: the state to resume from at `offset`; empty if it cannot be resumed
};

// A piece of a file's bytes, compressed and sealed.
struct Segment {
  std::uint64_t seq = 0;   // from 0, gapless within a generation
  std::uint64_t size = 0;  // of the original bytes
  std::string sealed;
  // The thoughts whose text is the compression dictionary, in this order: without them the segment
  // cannot be opened. They are part of the same commit, in conversations of the file, and are kept
  // as long as the segment.
  std::vector<Cid> dictionary{};
};

// The change of one source in a commit.
struct SourceUpdate {
  Source source;                    // with the revision that was read; 0 for a new source
  std::vector<Segment> segments{};  // added; the last stored one may be replaced by a longer one
  // All of it is archived now: earlier generations that are not longer are deleted.
  bool is_whole = false;
  // Nothing of it may be archived: the stored segments are deleted.
  bool keeps_nothing = false;
  std::vector<Cid> conversations{};  // that the source contains
};

// Changes are made by Writer::commit.
class Sources {
 public:
  virtual ~Sources() = default;

  // Empty if no source with that key was ingested.
  [[nodiscard]] virtual Result<std::optional<Source>> find(const SourceKey& key) const = 0;
  // The sources that were read from this file, under whatever path: finds a renamed file.
  [[nodiscard]] virtual Result<std::vector<Source>> find_by_inode(std::uint64_t device,
                                                                  std::uint64_t inode) const = 0;
  // In the order of their first ingest.
  [[nodiscard]] virtual Result<std::vector<Source>> all() const = 0;

  // The conversations that a source contains, and the sources of a conversation.
  [[nodiscard]] virtual Result<std::vector<Cid>> conversations_in(const SourceKey& key) const = 0;
  [[nodiscard]] virtual Result<std::vector<Source>> of(const Cid& conversation) const = 0;

  // Calls `visit` with the segments of a generation in order, until it returns false.
  [[nodiscard]] virtual Status each_segment(const SourceKey& key, std::uint64_t generation,
                                            const std::function<bool(Segment)>& visit) const = 0;
  // The last of them; empty if there is none.
  [[nodiscard]] virtual Result<std::optional<Segment>> last_segment(
      const SourceKey& key, std::uint64_t generation) const = 0;
};

}  // namespace weft::store
