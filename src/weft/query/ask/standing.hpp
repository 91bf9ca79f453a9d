// Standing: the conversation that holds a thought, and its turn there.
#pragma once

#include <optional>

#include "weft/query/library.hpp"

namespace weft::query {

struct Standing {
  store::ConversationRow conversation{};
  std::optional<Cid> block{};  // empty: the conversation as a whole is meant
};

// Finds a conversation as resolve_conversation() does, or any thought that stands in one: a block,
// a summary of reasoning, a citation, a turn (then `block` is its first one). Of several
// conversations, the one with the newest place, the owner's first. invalid_input for a thought that
// stands in none.
Result<Standing> resolve_standing(const Library& library, std::string_view text);

// The same for a known thought; empty if it stands in no conversation.
Result<std::optional<Standing>> find_standing(const Library& library, const Cid& thought);

// {conversation_cid, session_id, title, project, turn?, ordinal?, role?}: `ordinal` only for a
// block of the main branch.
Result<json::object> describe_standing(const Library& library, const Standing& standing);

}  // namespace weft::query
