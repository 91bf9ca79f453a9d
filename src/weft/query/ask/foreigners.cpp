#include "weft/query/ask/foreigners.hpp"

#include <algorithm>

#include "weft/thought/structure.hpp"

namespace weft::query {

using thought::Thought;
using thought::Verdict;

const Foreigners::Judged& Foreigners::judge(const Cid& identity) {
  const auto known = judged_.find(identity);
  if (known != judged_.end()) return known->second;
  // One that is missing or invalid vouches for nothing: `weft verify` reports it.
  Judged judged{.verdict = Verdict::foreign, .has_own_key = true};
  const Result<Thought> thought = library_.web.get_without_path(identity);
  if (thought && thought::is_identity(*thought)) {
    judged.verdict = witnesses_.add(*thought).value_or(Verdict::foreign);
    judged.has_own_key = find_string(thought->content, "provenance") != "claimed";
  }
  return judged_.emplace(identity, judged).first->second;
}

bool Foreigners::is_foreign_creator(const Cid& identity) {
  return library_.keyring != nullptr && judge(identity).verdict == Verdict::foreign;
}

bool Foreigners::is_foreign(const Thought& thought, bool otherwise) {
  if (!is_foreign_creator(thought.created_by)) return false;
  if (library_.keyring->can_sign() || judge(thought.created_by).has_own_key) return true;
  if (thought::is_identity(thought)) return false;
  if (thought.type == thought::kConnectionType || !thought::subjects_of(thought).empty()) {
    return find_string(thought.content, "relation") != "uses_input";
  }
  if (heard_.contains(thought.created_by)) return false;
  const std::optional<bool> is_own = is_placed_by_owner(thought.cid);
  if (is_own.value_or(false)) heard_.insert(thought.created_by);
  return is_own ? !*is_own : otherwise;
}

std::optional<bool> Foreigners::is_placed_by_owner(const Cid& cid) {
  const Result<std::vector<Cid>> conversations = library_.web.conversations_of(cid);
  if (!conversations || conversations->empty()) return std::nullopt;
  return std::ranges::any_of(*conversations, [&](const Cid& conversation) {
    const Result<Thought> thought = library_.web.get_without_path(conversation);
    return thought && !is_foreign_creator(thought->created_by);
  });
}

void Foreigners::mark(const Thought& thought, json::object& shown, bool otherwise) {
  if (is_foreign(thought, otherwise)) shown[kForeign] = true;
}

void Foreigners::prefer_own(std::vector<store::ConversationRow>& rows) {
  const auto is_strange = [&](const store::ConversationRow& row) {
    return library_.keyring == nullptr ? row.imported : is_foreign_creator(row.created_by);
  };
  if (std::ranges::all_of(rows, is_strange)) return;
  std::erase_if(rows, is_strange);
}

}  // namespace weft::query
