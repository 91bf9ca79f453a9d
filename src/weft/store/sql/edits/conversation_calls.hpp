// The tool calls of a conversation that edit files, read from its thoughts: what its rows in the
// index of edits must be.
//
// A call counts where its request stands, by the connections of the conversation's creator, unless
// it is superseded. Its result is the first stored of those that stand in the same conversation,
// are not superseded either, and have the request as their first cause.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "weft/store/sql/edits/edit_names.hpp"
#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/sql/late/stored_thought.hpp"

namespace weft::store::sql {

struct ConversationCalls {
  std::vector<CallStatement> calls{};  // with edits, by request, as far as the keyring opens them
  std::set<std::int64_t> keys{};       // that seal its calls, superseded ones included
};
Result<ConversationCalls> read_calls(LateContext& with, Id conversation);

// What a block is to calls, without its content.
struct CallBlock {
  CallPart part = CallPart::none;
  std::optional<Id> first_cause{};
  std::optional<std::int64_t> key{};  // that seals it
};
// Of no part if it is not stored.
Result<CallBlock> find_call_block(LateContext& with, Id block);

// A stored thought, opened.
struct OpenedThought {
  StoredThought stored{};
  OpenLayers layers{};
  OpenBlock open() const { return {stored.thought, layers}; }
};
// Empty if it is not stored.
Result<std::optional<OpenedThought>> open_stored(LateContext& with, Id id);

}  // namespace weft::store::sql
