#include "weft/query/change_feed.hpp"

#include <utility>

#include "weft/base/try.hpp"

namespace weft::query {

Status ChangeFeed::skip() {
  // The checkpoint first: what is committed in between is then read again, and is not new.
  WEFT_TRY_VALUE(auto changes, library_.web.changes_since({}));
  WEFT_TRY_VALUE(auto rows, library_.web.conversations({}));
  checkpoint_ = changes.checkpoint;
  thought_counts_.clear();
  for (const store::ConversationRow& row : rows) thought_counts_[row.cid] = row.thought_count;
  return {};
}

Result<std::vector<GrownConversation>> ChangeFeed::next() {
  Result<store::ChangesSince> changes = library_.web.changes_since(checkpoint_);
  if (!changes && changes.error().code == ErrorCode::not_found) {
    changes = library_.web.changes_since({});
  }
  if (!changes) return fail(std::move(changes).error());
  std::vector<GrownConversation> grown;
  for (const Cid& cid : changes->conversations) {
    Result<store::ConversationRow> row = library_.web.conversation(cid);
    if (!row && row.error().code == ErrorCode::not_found) continue;  // forgotten meanwhile
    if (!row) return fail(std::move(row).error());
    const auto known = thought_counts_.find(cid);
    const std::uint64_t before = known == thought_counts_.end() ? 0 : known->second;
    if (row->thought_count <= before) continue;
    const std::uint64_t added = row->thought_count - before;
    grown.push_back({.row = *std::move(row), .new_thoughts = added});
  }
  for (const GrownConversation& each : grown)
    thought_counts_[each.row.cid] = each.row.thought_count;
  checkpoint_ = changes->checkpoint;
  return grown;
}

}  // namespace weft::query
