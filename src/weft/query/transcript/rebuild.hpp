// Rebuilds a transcript from thoughts: the base of export, transcript and replay.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::query {

// The conversation as its transcript would be read: blocks in order, superseded ones left out.
// Reasoning that the keyring does not open becomes thinking without text.
Result<transcript::Conversation> rebuild(const Library& library,
                                         const store::ConversationRow& conversation);

// Selects a part of a conversation.
struct Part {
  std::optional<std::string> branch{};  // its last turn; default: the main branch
  // The last thought, or the last turn as a whole. If no branch is named, one that contains it.
  std::optional<std::string> upto{};
  bool leave_out_sealed = false;  // blocks whose content the keyring does not open
};
struct Rebuilt {
  transcript::Conversation conversation;
  std::vector<Cid> cids{};  // of its blocks, in order
  std::size_t sealed = 0;   // blocks whose content the keyring does not open
};
// invalid_input if the branch or the thought is not of this conversation.
Result<Rebuilt> rebuild(const Library& library, const store::ConversationRow& conversation,
                        const Part& part);

// Rebuilds single blocks by CID. As in rebuild(), except for their places, which the caller knows,
// and for citations, which cost more to find than all the rest.
class BlockReader {
 public:
  // `library` outlives it, as does what it points at. `creator` is that of the conversation.
  BlockReader(const Library& library, const Cid& creator);
  ~BlockReader();
  BlockReader(BlockReader&&) noexcept;

  Result<transcript::Block> read(const Cid& cid);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::query
