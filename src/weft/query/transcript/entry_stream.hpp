// The entries of one conversation as they come, in the order in which its blocks were woven: every
// branch, and what was superseded too. It can stop anywhere and go on later, in another process if
// need be, without reading again what it has told.
//
//   Result<EntryStream> stream = EntryStream::open(library, row, {});
//   for (;;) { Result<std::vector<StreamEntry>> more = stream->next(); … }  // empty: that is all
//   now
//
// An entry, once told, does not change. So a text that comes later, of a message that was told, is
// an entry of its own that `continues` the message's first; a block that takes another's place is
// an entry of its own that `supersedes` the one in which the other was told. Reasoning is told with
// what follows it: as long as nothing does, it waits.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/transcript/rebuild.hpp"
#include "weft/transcript/entry_builder.hpp"

namespace weft::query {

// Where a stream stands: the last block that it told.
struct EntryMark {
  std::uint64_t mark = 0;  // 0: it has told nothing
  Cid turn{};
  std::uint64_t position = 0;
  std::string head{};          // the first entry of the message that was told last
  std::uint64_t sequence = 0;  // of the next entry
  friend bool operator==(const EntryMark&, const EntryMark&) = default;
};

struct StreamEntry {
  transcript::TranscriptEntry entry;
  EntryMark mark;  // the stream stands here after it
};

// Of an entry that was told: how long its content is, and the first entry of its message.
struct ToldEntry {
  std::size_t size = 0;
  std::string head{};
};
using ToldEntries = std::unordered_map<std::string, ToldEntry>;  // by entry id

class EntryStream {
 public:
  // Goes on from `from`, past what is in `told` after that: entries that were told when nobody
  // noted where the stream stood. `library` outlives it. not_found if `from` is no mark of this
  // conversation in this store.
  static Result<EntryStream> open(
      const Library& library, store::ConversationRow row, EntryMark from,
      transcript::IncludeThinking thinking = transcript::IncludeThinking::no,
      ToldEntries told = {});

  // Some of the entries that come next; empty if there are no more as yet.
  Result<std::vector<StreamEntry>> next();

  // Whether it came past anything in `told`.
  bool has_passed() const { return has_passed_; }
  // Where it stands after all that next() has told.
  const EntryMark& mark() const { return mark_; }

 private:
  EntryStream(const Library& library, store::ConversationRow row, EntryMark from,
              transcript::IncludeThinking thinking, ToldEntries told);
  Status resume();
  Status take(const store::PlacedBlock& placed);
  Status enter_turn(const Cid& turn);
  Status tell(const transcript::Block& block, const store::PlacedBlock& placed);
  bool pass_told(const transcript::Block& block, const store::PlacedBlock& placed,
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
  ToldEntries told_;
  bool has_passed_ = false;
  std::size_t left_ = 0;  // of the content of the told entry that is being passed
  EntryMark mark_;
  std::uint64_t read_;              // how far it has read, waiting reasoning included
  std::optional<Cid> turn_{};       // that was entered last
  std::string source_id_{};         // of its blocks
  std::vector<EntryMark> marks_{};  // of the builder's entries
  EntryMark waiting_{};             // the place of the reasoning that waits
};

}  // namespace weft::query
