// A stream of the entries of one conversation, in the order in which its blocks were woven: every
// branch, and superseded blocks too. It can stop anywhere and resume later, in another process too,
// without reading again what it has emitted.
//
//   Result<EntryStream> stream = EntryStream::open(library, row, {});
//   for (;;) { Result<std::vector<StreamEntry>> more = stream->next(); … } // empty: no more yet
//
// An emitted entry never changes. So a later text of an emitted message is an entry of its own that
// `continues` the message's first; a block that replaces another is an entry of its own that
// `supersedes` the one with the other. Reasoning is emitted with what follows it, and pending until
// then.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/transcript/rebuild.hpp"
#include "weft/transcript/entry_builder.hpp"

namespace weft::query {

// The position of a stream: the last block that it emitted.
struct EntryMark {
  std::uint64_t mark = 0;  // 0: nothing emitted yet
  Cid turn{};
  std::uint64_t position = 0;
  std::string head{};          // the first entry of the last emitted message
  std::uint64_t sequence = 0;  // of the next entry
  friend bool operator==(const EntryMark&, const EntryMark&) = default;
};

struct StreamEntry {
  transcript::TranscriptEntry entry;
  EntryMark mark;  // the position after it
};

// An emitted entry: the length of its content, and the first entry of its message.
struct EmittedEntry {
  std::size_t size = 0;
  std::string head{};
};
using EmittedEntries = std::unordered_map<std::string, EmittedEntry>;  // by entry id

class EntryStream {
 public:
  // Resumes at `from`, and skips the entries in `emitted` after that: entries that were emitted
  // while the position was not saved. `library` outlives it. not_found if `from` is not a mark of
  // this conversation in this store.
  static Result<EntryStream> open(
      const Library& library, store::ConversationRow row, EntryMark from,
      transcript::IncludeThinking thinking = transcript::IncludeThinking::no,
      EmittedEntries emitted = {});

  // Some of the next entries; empty if there are no more yet.
  Result<std::vector<StreamEntry>> next();

  // Whether it skipped anything in `emitted`.
  bool has_passed() const { return has_passed_; }
  // The position after all entries that next() has returned.
  const EntryMark& mark() const { return mark_; }

 private:
  EntryStream(const Library& library, store::ConversationRow row, EntryMark from,
              transcript::IncludeThinking thinking, EmittedEntries emitted);
  Status resume();
  Status take(const store::PlacedBlock& placed);
  Status enter_turn(const Cid& turn);
  Status emit(const transcript::Block& block, const store::PlacedBlock& placed);
  bool skip_emitted(const transcript::Block& block, const store::PlacedBlock& placed,
                    const std::string& id);
  // Empty if the block is the first at its place.
  Result<std::optional<std::string>> superseded_entry(const transcript::Block& block,
                                                      const store::PlacedBlock& placed);
  Result<std::string> head_of_message(const Cid& turn, const Cid& block, std::uint64_t position);
  std::string id_at(std::uint64_t position, std::string_view state = {}) const;
  std::vector<StreamEntry> take_entries(bool at_end);
  void note(const store::PlacedBlock& placed);

  const Library* library_;
  store::ConversationRow row_;
  transcript::Heading heading_;
  BlockReader reader_;
  transcript::EntryBuilder builder_;
  EmittedEntries emitted_;
  bool has_passed_ = false;
  std::size_t left_ = 0;  // of the content of the entry being skipped
  EntryMark mark_;
  std::uint64_t read_;              // how far it has read, pending reasoning included
  std::optional<Cid> turn_{};       // the last one added
  std::string source_id_{};         // of its blocks
  std::vector<EntryMark> marks_{};  // of the builder's entries
  EntryMark waiting_{};             // the place of the pending reasoning
};

}  // namespace weft::query
