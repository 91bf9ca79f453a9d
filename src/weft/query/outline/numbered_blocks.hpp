// NumberedBlocks: reads single blocks of a conversation by their ordinals, whatever its length. It
// keeps the outline of the conversation (a few words for each block) and no text.
//
//   WEFT_TRY_VALUE(const auto reader, NumberedBlocks::open(library, row, {}));
//   for (std::uint64_t i = 0; i < reader.count(); ++i) use(reader.read(i));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/outline/outline_selection.hpp"

namespace weft::query {

struct BlockSelection {
  std::optional<std::string> branch{};  // as of WalkOptions
  bool all = false;                     // with other branches and superseded blocks
};

class NumberedBlocks {
 public:
  // `library` outlives it. invalid_input if the branch is no turn of the conversation.
  static Result<NumberedBlocks> open(const Library& library,
                                     const store::ConversationRow& conversation,
                                     const BlockSelection& selection);

  std::uint64_t count() const { return selection_.entries.size(); }
  // The block with this ordinal, which is below count(), with the members that `blocks` gives
  // (questions.hpp), and texts cut to `cut` characters.
  Result<json::object> read(std::uint64_t ordinal,
                            std::uint64_t cut = std::numeric_limits<std::uint64_t>::max());
  // The ordinal of a block; empty if it is not among them.
  Result<std::optional<std::uint64_t>> find(const Cid& block) const;
  // The ordinal of the first block of a turn. Empty if no turn has this sequence.
  std::optional<std::uint64_t> find_turn(std::uint64_t sequence) const;
  std::uint64_t turn_of(std::uint64_t ordinal) const {
    return selection_.sequence_of(selection_.entries[ordinal]);
  }
  const OutlineSelection& selection() const { return selection_; }

 private:
  NumberedBlocks(const Library& library, OutlineSelection selection)
      : library_(library), foreigners_(library), selection_(std::move(selection)) {}

  Library library_;
  Foreigners foreigners_;
  OutlineSelection selection_;
};

}  // namespace weft::query
