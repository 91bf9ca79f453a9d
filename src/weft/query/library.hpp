// What a reader brings to every question: the store, and the keys they hold.
#pragma once

#include <string_view>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::query {

// Answers are JSON objects of the shapes in docs/design.md, "Answers": what `--json` prints is
// what an agent gets; other forms are made from them. What the keyring does not open
// stays sealed, under "$layers".
struct Library {
  const store::Store& store;
  const crypto::Keyring* keyring = nullptr;  // may be null: then nothing opens
};

// A thought by its CID, or by 8 or more of its hex digits. not_found; invalid_input if
// it is no such name or several begin so.
Result<Cid> resolve_thought(const Library& library, std::string_view text);

// A conversation by CID or prefix, by session id, or as `format:session_id`. Of several
// with that session id the main one is meant (subagents share their parent's).
Result<store::ConversationRow> resolve_conversation(const Library& library, std::string_view text);

}  // namespace weft::query
