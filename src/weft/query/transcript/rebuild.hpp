// From thoughts back to a transcript: what export, transcript and replay are made from.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "weft/query/library.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::query {

// The conversation as its transcript would be read: blocks in order, superseded ones left
// out. Reasoning that the keyring does not open comes as thinking without text.
Result<transcript::Conversation> rebuild(const Library& library,
                                         const store::ConversationRow& conversation);

// Which part of a conversation, and how.
struct Part {
  std::optional<std::string> branch{};  // the turn that it ends with; by default the main one
  // The thought that it ends with, or a turn that it ends with whole. Where no branch is named,
  // one that it is in.
  std::optional<std::string> upto{};
  bool leave_out_sealed = false;  // blocks whose content the keyring does not open
};
struct Rebuilt {
  transcript::Conversation conversation;
  std::size_t sealed = 0;  // blocks whose content the keyring does not open
};
// invalid_input if the branch or the thought is not of this conversation.
Result<Rebuilt> rebuild(const Library& library, const store::ConversationRow& conversation,
                        const Part& part);

// One block after the other, by name. As in rebuild(), but for their places, which whoever asks
// knows, and for citations, which cost more to find than all the rest.
class BlockReader {
 public:
  explicit BlockReader(const Library& library);  // outlives it, as does what it points at
  ~BlockReader();
  BlockReader(BlockReader&&) noexcept;

  Result<transcript::Block> read(const Cid& cid);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::query
