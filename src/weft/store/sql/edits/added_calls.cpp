#include "weft/store/sql/edits/added_calls.hpp"

#include <algorithm>

#include "weft/base/try.hpp"

namespace weft::store::sql {

Status AddedCalls::find() {
  WEFT_TRY_VALUE(const Id contains, places_.contains());
  WEFT_TRY_VALUE(const Id supersedes, places_.supersedes());
  for (const Edge& edge : addition_.edges) {
    if (edge.created_by != addition_.creator) continue;
    if (edge.relation == supersedes) superseded_.insert(edge.to);
    if (edge.relation != contains) continue;
    if (edge.from == addition_.conversation) turns_[edge.to] = true;
  }
  for (const Edge& edge : addition_.edges) {
    if (edge.created_by != addition_.creator || edge.relation != contains) continue;
    if (edge.from != addition_.conversation) WEFT_TRY(note_placed(edge));
  }
  for (const Id block : superseded_) WEFT_TRY(note_superseded(block));
  for (const auto& [conversation, request] : calls_) WEFT_TRY(state(conversation, request));
  return {};
}

Result<CallBlock> AddedCalls::find_block(Id id) {
  const LateAddition::NewThought* added = addition_.find(id);
  if (added == nullptr) return find_call_block(with_, id);
  return CallBlock{.part = call_part(added->thought->type),
                   .first_cause = added->first_cause,
                   .key = key_of(added->thought->layers)};
}

Result<bool> AddedCalls::is_turn_here(Id turn) {
  const auto known = turns_.find(turn);
  if (known != turns_.end()) return known->second;
  WEFT_TRY_VALUE(const Id contains, places_.contains());
  Rows rows = with_.database.query(
      "SELECT 1 FROM connections WHERE to_id = ? AND from_id = ? AND relation = ? AND "
      "created_by = ?",
      turn, addition_.conversation, contains, addition_.creator);
  const bool is_here = rows.next();
  WEFT_TRY(rows.status());
  turns_[turn] = is_here;
  return is_here;
}

std::optional<Id> AddedCalls::request_of(Id block, const CallBlock& part) {
  switch (part.part) {
    case CallPart::request: return block;
    case CallPart::result: return part.first_cause;
    case CallPart::none: break;
  }
  return std::nullopt;
}

Status AddedCalls::note_placed(const Edge& edge) {
  WEFT_TRY_VALUE(const CallBlock block, find_block(edge.to));
  if (block.part == CallPart::none) return {};
  WEFT_TRY_VALUE(const bool is_here, is_turn_here(edge.from));
  if (!is_here) return {};
  placed_.insert(edge.to);
  if (block.key) call_keys_.insert(*block.key);
  if (const auto request = request_of(edge.to, block)) {
    calls_.emplace(addition_.conversation, *request);
  }
  return {};
}

Status AddedCalls::note_superseded(Id block) {
  WEFT_TRY_VALUE(const CallBlock part, find_block(block));
  const std::optional<Id> request = request_of(block, part);
  if (!request) return {};
  WEFT_TRY_VALUE(const auto stood, places_.places_of(block, addition_.creator));
  for (const Places::Place& place : stood) calls_.emplace(place.conversation, *request);
  return {};
}

Result<bool> AddedCalls::load(Id id, Part& out) {
  if (const LateAddition::NewThought* added = addition_.find(id)) {
    out.thought = added->thought;
    out.layers = open_layers(*added->thought, with_.keyring);
  } else {
    WEFT_TRY_VALUE(auto stored, open_stored(with_, id));
    if (!stored) return false;
    out.stored = *std::move(stored);
    out.thought = &out.stored.stored.thought;
    out.layers = std::move(out.stored.layers);
  }
  out.key = key_of(out.thought->layers);
  return true;
}

Result<bool> AddedCalls::stands_in(Id conversation, Id block) {
  if (superseded_.contains(block)) return false;
  if (addition_.find(block) == nullptr) {
    WEFT_TRY_VALUE(const bool is_gone, places_.is_superseded(block, addition_.creator, kAnyId));
    if (is_gone) return false;
  }
  if (conversation == addition_.conversation && placed_.contains(block)) return true;
  WEFT_TRY_VALUE(const auto stood, places_.places_of(block, addition_.creator));
  return std::ranges::find(stood, conversation, &Places::Place::conversation) != stood.end();
}

Result<std::optional<Id>> AddedCalls::find_result(Id conversation, Id request) {
  std::vector<Id> effects;
  {
    Rows rows = with_.database.query("SELECT thought FROM effects WHERE cause = ? ORDER BY thought",
                                     request);
    while (rows.next()) effects.push_back(rows.integer(0));
    WEFT_TRY(rows.status());
  }
  for (const Id id : effects) {
    WEFT_TRY_VALUE(const CallBlock block, find_block(id));
    if (block.part != CallPart::result || block.first_cause != request) continue;
    WEFT_TRY_VALUE(const bool is_there, stands_in(conversation, id));
    if (is_there) return id;
  }
  return std::nullopt;
}

Status AddedCalls::state(Id conversation, Id id) {
  const LateAddition::NewThought* added = addition_.find(id);
  const bool is_prepared = added != nullptr && added->tally != nullptr;
  if (is_prepared && added->call == nullptr) return {};
  Part request;
  if (is_prepared) {
    request.thought = added->thought;
    request.key = key_of(added->thought->layers);
  } else {
    WEFT_TRY_VALUE(const bool is_stored, load(id, request));
    if (!is_stored || call_part(request.thought->type) != CallPart::request) return {};
    if (!keys_.opens(request.key) || !states_edits(request.open())) return {};
  }
  CallStatement call{
      .request = id, .time = request.thought->created_at, .is_sealed = request.key.has_value()};
  WEFT_TRY_VALUE(const bool is_there, stands_in(conversation, id));
  if (is_there) WEFT_TRY(read_edits(conversation, added, request, call));
  // Nothing was said of a new one before.
  if (call.edits.empty() && added != nullptr) return {};
  statements_[conversation].push_back(std::move(call));
  return {};
}

Status AddedCalls::read_edits(Id conversation, const LateAddition::NewThought* added,
                              const Part& request, CallStatement& call) {
  WEFT_TRY_VALUE(const auto id, find_result(conversation, call.request));
  Part result;
  if (id) {
    WEFT_TRY_VALUE(const CallBlock block, find_block(*id));
    if (!keys_.opens(block.key)) return {};
    call.result = *id;
    call.is_sealed = call.is_sealed || block.key;
  }
  if (added != nullptr && added->call != nullptr) {
    const LateAddition::NewThought* answer = id ? addition_.find(*id) : nullptr;
    const bool is_same = id ? answer != nullptr && answer->thought->cid == added->call->result
                            : !added->call->result;
    if (is_same) {
      call.edits = added->call->edits;
      return {};
    }
  }
  Part opened;
  const Part* asked = &request;
  // A prepared request was not opened here.
  if (added != nullptr && added->tally != nullptr) {
    WEFT_TRY(load(call.request, opened));
    asked = &opened;
  }
  std::optional<OpenBlock> answer;
  if (id) {
    WEFT_TRY_VALUE(const bool is_stored, load(*id, result));
    if (is_stored) answer.emplace(result.open());
  }
  call.edits = edits_of_call(asked->open(), answer);
  return {};
}

}  // namespace weft::store::sql
