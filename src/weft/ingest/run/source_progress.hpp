// The progress of one source: its row in the store as the next commit leaves it, and the bytes that
// the commit archives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/ingest/run/run_context.hpp"

namespace weft::ingest {

inline constexpr std::string_view kForgotten =
    "forgotten: a conversation in it is not ingested again";

// Whether a conversation in a known source was forgotten: nothing of its content may be archived
// or remembered.
inline bool keeps_nothing(const store::Source& source) {
  return source.archived == 0 && source.size > 0;
}

// Bytes to archive, cut into segments as they come: a long record is not copied in one piece.
class UnarchivedBytes {
 public:
  void append(std::string_view bytes);
  std::size_t size() const { return size_; }
  void clear() { take(); }
  // The segments, and leaves nothing. All but the last have kSegmentBytes.
  std::vector<std::string> take();

 private:
  std::vector<std::string> segments_;
  std::size_t size_ = 0;
};

struct SourceProgress {
  std::size_t file = 0;             // the number of its file in the run
  store::Source source;             // as it was read, or as the last update left it
  UnarchivedBytes unarchived{};     // bytes that were read and are in no update yet
  std::uint64_t next_seq = 0;       // of the next archived segment
  std::uint64_t already_there = 0;  // bytes to come that are in the archive
  bool keeps_nothing = false;       // a conversation in it was forgotten
  // Once it was read to its end: a source of no more bytes than this is kept without a state.
  std::uint64_t stateless_bytes = 0;
  std::vector<Cid> conversations{};

  // Adds bytes to what the next update archives.
  void archive(std::string_view bytes);
};

// A source that is read from its beginning; `known` is its row, if it has one. What was archived
// of it before stays, as an older generation.
SourceProgress begin_source(const SourceSeal& seal, std::size_t file,
                            const std::optional<store::Source>& known,
                            const SourceDescription& about);

// Adds the update of a source to the queue, with the bytes to archive. `state` is what to resume
// from, or empty; `units` are those woven from these bytes, empty where the bytes are compressed.
enum class SourceEnd { no, yes };  // whether all of the source was read
void add_update(RunContext& run, SourceProgress& progress, const std::string& state, SourceEnd end,
                UnitRange units = {});

}  // namespace weft::ingest
