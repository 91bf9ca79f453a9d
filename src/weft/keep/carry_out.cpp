#include "weft/keep/carry_out.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/remote/statements.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::keep {
namespace {

// Empty if the tombstone, or who signed it, is not stored.
Result<std::vector<remote::Forgotten>> find_statement(const store::Store& store, const Cid& cid) {
  std::vector<remote::Forgotten> found;
  Result<thought::Thought> tombstone = store.get_without_path(cid);
  if (!tombstone && tombstone.error().code != ErrorCode::unavailable) return found;
  if (!tombstone) return fail(std::move(tombstone).error());
  Result<thought::Thought> identity = store.get_without_path(tombstone->created_by);
  if (!identity && identity.error().code != ErrorCode::unavailable) return found;
  if (!identity) return fail(std::move(identity).error());
  found.push_back({.tombstone = *std::move(tombstone), .identity = *std::move(identity)});
  return found;
}

// Of the conversations that it lists, those that are here and that its signer created.
Result<std::vector<Cid>> find_due(const store::Store& store, const remote::Statements& statements) {
  std::vector<Cid> due;
  for (const auto& [conversation, statement] : statements) {
    const Result<store::ConversationRow> row = store.conversation(conversation);
    if (!row && row.error().code == ErrorCode::not_found) continue;
    if (!row) return fail(Error(row.error()));
    if (row->created_by == statement->tombstone.created_by) due.push_back(conversation);
  }
  return due;
}

}  // namespace

Result<CarriedOut> carry_out(store::Store& store, const Cid& tombstone) {
  CarriedOut out{.tombstone = tombstone};
  WEFT_TRY_VALUE(const auto found, find_statement(store, tombstone));
  const remote::Statements statements = remote::sort_statements(found);
  WEFT_TRY_VALUE(out.conversations, find_due(store, statements));
  if (out.conversations.empty()) return out;
  const remote::Forgotten& statement = found.front();
  const auto content = thought::to_tombstone(statement.tombstone);
  if (!content) return out;
  WEFT_TRY_VALUE(auto plan,
                 store.forgetting().plan(out.conversations, statement.tombstone.created_by));
  const auto is_named = [&](const Cid& cid) { return content->lists(cid); };
  if (!std::ranges::all_of(plan.spoken_of, is_named)) {
    out.state = CarriedOut::State::waiting;
    out.why = "others refer to thoughts that it does not name: its signer has to sign another one";
    return out;
  }
  out.thoughts = plan.thoughts;
  const std::size_t orphans = plan.orphans.size();
  // Without keys: what others share keeps the paths that it has.
  const auto forgotten = store.forgetting().forget(
      {.plan = std::move(plan),
       .tombstone = statement.tombstone,
       .owner = statement.identity,
       .checkpoints{std::vector<std::optional<thought::Thought>>(orphans)},
       .indexer{.keyring = nullptr, .index_sealed = false}});
  if (!forgotten && forgotten.error().code == ErrorCode::invalid_input) {
    out.state = CarriedOut::State::waiting;
    out.why = forgotten.error().message;
    return out;
  }
  if (!forgotten) return fail(Error(forgotten.error()));
  out.state = CarriedOut::State::done;
  return out;
}

}  // namespace weft::keep
