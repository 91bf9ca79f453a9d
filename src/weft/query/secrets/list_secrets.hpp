// The question which secrets stand in conversations, and where.
#pragma once

#include <optional>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"
#include "weft/secrets/secret.hpp"

namespace weft::query {

struct SecretsOptions {
  std::optional<store::ConversationRow> conversation{};  // all, if it is empty
  secrets::Tier least = secrets::Tier::sure;
  bool with_values = false;
  QueryControl control{};  // progress counts conversations
};
// One entry for each distinct value, the one in most conversations first:
//
//   {secrets: [{rule, tier, fingerprint, first_seen, last_seen, conversations, count, revoke,
//   value?,
//     places: [{cid, conversation_cid, member}]}], blocks, sealed?, behind?}
//
// `first_seen` and `last_seen` are times of the thoughts, in milliseconds; `count` counts places,
// of which `places` has the first 20; `member` is the JSON Pointer of the text within the thought.
// `blocks` counts the places of the conversations, `sealed` those conversations of which the
// keyring does not open everything. Superseded blocks are listed, too: they are still stored. The
// facts of a conversation count once, however often they were stated.
//
// The sure tier is read from a table (store::Tables::secrets), and facts are in it as well; with
// the likely tier, every block is read.
Result<json::object> list_secrets(const Library& library, const SecretsOptions& options);

}  // namespace weft::query
