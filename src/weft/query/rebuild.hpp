// From thoughts back to a transcript: what export, transcript and replay are made from.
#pragma once

#include <memory>

#include "weft/query/library.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::query {

// The conversation as its transcript would be read: blocks in order, superseded ones left
// out. Reasoning that the keyring does not open comes as thinking without text.
Result<transcript::Conversation> rebuild(const Library& library,
                                         const store::ConversationRow& conversation);

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
