// Files that were taken in: how far, in what state, and their bytes.
//
// What would tell of their content is sealed or keyed before it comes here; the store keeps
// it as bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/weave/commit_unit.hpp"

namespace weft::store {

using SourceKey = weave::PlaceKey;  // the keyed hash of a file's path

struct Source {
  SourceKey key{};
  // Counted up by every change: who changes it says which one was read.
  std::uint64_t revision = 0;
  std::string format;
  std::string about;                    // sealed: its path and project
  std::uint64_t device = 0, inode = 0;  // the file that was read
  std::int64_t modified_ns = 0;
  std::uint64_t size = 0;    // of the file when it was last read
  std::uint64_t offset = 0;  // woven up to here
  std::uint64_t lines = 0;   // that end before `offset`
  // Kept in the archive up to here; 0 where `size` is not, if nothing of it may be kept: a
  // conversation in it was forgotten.
  std::uint64_t archived = 0;
  std::string fingerprint;  // keyed hash of both ends of what is archived
  // Of the archive: counted up when the file was written anew. Only those are kept from
  // which something vanished.
  std::uint64_t generation = 0;
  std::int64_t adapter_version = 0, weave_version = 0;
  Millis ingested_at = 0;
  std::string state;  // sealed: what going on at `offset` takes; empty where it cannot be
};

// A piece of a file's bytes, compressed and sealed.
struct Segment {
  std::uint64_t seq = 0;   // from 0, gapless within a generation
  std::uint64_t size = 0;  // of the bytes as they were
  std::string sealed;
  // The thoughts against whose words it was compressed, in this order: without them it cannot be
  // opened. They come with the same commit, in conversations of the file, and stay as long as it.
  std::vector<Cid> dictionary{};
};

// What a commit says of one source.
struct SourceUpdate {
  Source source;                    // its revision is the one that was read; 0 for a new source
  std::vector<Segment> segments{};  // added; the last one may be told again, longer
  // All of it is archived now: earlier generations that are not longer are dropped.
  bool is_whole = false;
  // Nothing of it may be kept: what is archived goes.
  bool keeps_nothing = false;
  std::vector<Cid> conversations{};  // that were met in it
};

}  // namespace weft::store
