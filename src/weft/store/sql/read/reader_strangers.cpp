// Conversations in which an older weft holds what strangers said about them. A weft that compares
// creators holds none of it; these rows are read as if it had written them.
#include "weft/base/try.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {

Status Reader::leave_out_strangers(Members& members) {
  if (members.strangers.empty()) return {};
  for (std::vector<Id>* part :
       {&members.speakers, &members.blocks, &members.turns, &members.facts}) {
    std::vector<Id> kept;
    for (const Id id : *part) {
      WEFT_TRY_VALUE(auto creator, creator_of(id));
      if (!members.strangers.contains(creator.value_or(0))) kept.push_back(id);
    }
    *part = std::move(kept);
  }
  return {};
}

// Everything that an older weft counted came with a checkpoint of the stranger's that names the
// conversation.
Result<bool> Reader::has_strangers(Id conversation) {
  Rows rows = database_.query(
      "SELECT CAST(EXISTS (SELECT 1 FROM checkpoints JOIN thoughts signer ON signer.id = "
      "checkpoints.id "
      "JOIN thoughts talk ON talk.id = conversation "
      "WHERE conversation = ? AND signer.created_by <> talk.created_by) AS INTEGER)",
      conversation);
  const bool found = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return found;
}

Status Reader::count_own(Id conversation, ConversationRow& row) {
  WEFT_TRY_VALUE(auto has, has_strangers(conversation));
  if (!has) return {};
  WEFT_TRY_VALUE(const auto members, members_of(conversation));
  WEFT_TRY_VALUE(const auto contains, words_.find_id("contains"));
  row.turn_count = row.block_count = 0;
  row.thought_count = members.speakers.size() + members.conversation.size() +
                      members.blocks.size() + members.turns.size();
  for (const Range& range : members.connections) {
    const Id last = range.first + static_cast<Id>(range.count) - 1;
    Rows edges = database_.query(
        "SELECT relation, from_id, created_by FROM connections WHERE id BETWEEN ? AND ?",
        range.first, last);
    while (edges.next()) {
      if (members.strangers.contains(edges.integer(2))) continue;
      ++row.thought_count;
      if (edges.integer(0) != contains) continue;
      ++(edges.integer(1) == conversation ? row.turn_count : row.block_count);
    }
    WEFT_TRY(edges.status());
  }
  return {};
}

}  // namespace weft::store::sql
