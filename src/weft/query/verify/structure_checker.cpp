#include "weft/query/verify/structure_checker.hpp"

#include <algorithm>

#include "weft/thought/usage.hpp"

namespace weft::query {

using thought::Connection;
using thought::Subject;
using thought::Thought;

std::unordered_set<Cid> conversation_creators(const store::Store& store) {
  std::unordered_set<Cid> creators;
  if (const auto rows = store.conversations({})) {
    for (const store::ConversationRow& row : *rows) creators.insert(row.created_by);
  }
  return creators;
}

bool stands_elsewhere(const store::Store& store, const Cid& cid) {
  const auto edges = store.connections(cid, std::nullopt, store::Direction::both);
  const auto effects = store.effects(cid);
  const auto may = [&](const Connection& edge) {
    return edge.to == cid && thought::may_end_elsewhere(edge);
  };
  return edges && effects && effects->empty() && !edges->empty() &&
         std::ranges::all_of(*edges, may);
}

void StructureChecker::check(const Thought& statement) {
  const std::string_view kind = thought::kind_of(statement.type);
  const bool is_structure =
      kind == "turn" || kind == "conversation_facts" || kind == thought::kUsageKind ||
      statement.type == thought::kCheckpointType || statement.type == thought::kConnectionType;
  if (!is_structure || needs_no_look_up(statement.created_by)) return;
  const Result<Thought> whole = store_.get_without_path(statement.cid);
  if (!whole) return;  // reported as it was read
  for (const Subject& subject : thought::subjects_of(*whole)) {
    check(statement.cid, statement.created_by, subject);
  }
}

void StructureChecker::check(const Cid& name, const Connection& statement) {
  if (needs_no_look_up(statement.created_by)) return;
  for (const Subject& subject : thought::subjects_of(statement)) {
    check(name, statement.created_by, subject);
  }
}

void StructureChecker::check(const Cid& name, const Cid& creator, const Subject& subject) {
  if (subject.kind == Subject::Kind::block) return check_block(name, creator, subject.cid);
  const std::optional<Container>& about = container(subject.cid);
  if (!about || about->creator == creator) return;
  findings_.foreign({.cid = name,
                     .created_by = creator,
                     .conversation = about->conversation,
                     .reason = "it adds to a conversation of somebody else"});
}

void StructureChecker::check_block(const Cid& name, const Cid& creator, const Cid& block) {
  const auto own = store_.neighbours_by(creator, block, "contains", store::Direction::to);
  if (!own || !own->empty()) return;
  const auto turns = store_.neighbours(block, "contains", store::Direction::to);
  if (!turns || turns->empty()) return;
  const std::optional<Container>& turn = container(turns->front());
  findings_.foreign({.cid = name,
                     .created_by = creator,
                     .conversation = turn ? std::optional(turn->conversation) : std::nullopt,
                     .reason = "it is about a block in a conversation of somebody else"});
}

const std::optional<StructureChecker::Container>& StructureChecker::container(const Cid& cid) {
  if (containers_.size() > kMaxContainers) containers_.clear();
  const auto [known, is_new] = containers_.try_emplace(cid);
  if (!is_new) return known->second;
  const Result<Thought> thought = store_.get_without_path(cid);
  if (!thought) return known->second;
  const Result<Cid> named = Cid::parse(find_string(thought->content, "conversation").value_or(""));
  known->second = Container{.creator = thought->created_by, .conversation = named.value_or(cid)};
  return known->second;
}

}  // namespace weft::query
