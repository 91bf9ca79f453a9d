// From thoughts back to a transcript: what export, transcript and replay are made from.
#pragma once

#include "weft/query/library.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::query {

// The conversation as its transcript would be read: blocks in order, superseded ones left
// out. Reasoning that the keyring does not open comes as thinking without text.
Result<transcript::Conversation> rebuild(const Library& library,
                                         const store::ConversationRow& conversation);

}  // namespace weft::query
