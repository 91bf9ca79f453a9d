#include "weft/store/sql/edits/conversation_calls.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/places.hpp"

namespace weft::store::sql {
namespace {

// Where the parts of calls stand in a conversation.
struct PlacedCalls {
  std::vector<Id> requests{};     // not superseded
  std::map<Id, Id> results{};     // by request; not superseded, the first stored
  std::set<std::int64_t> keys{};  // that seal them, superseded ones included
};

Result<PlacedCalls> find_placed(LateContext& with, Id conversation, Id creator) {
  PlacedCalls found;
  Places places(with, conversation);
  WEFT_TRY_VALUE(const auto turns, places.contents(conversation, creator));
  for (const auto& [turn_edge, turn] : turns) {
    WEFT_TRY_VALUE(const auto blocks, places.contents(turn, creator));
    for (const auto& [edge, id] : blocks) {
      WEFT_TRY_VALUE(const CallBlock block, find_call_block(with, id));
      if (block.part == CallPart::none) continue;
      if (block.key) found.keys.insert(*block.key);
      WEFT_TRY_VALUE(const bool is_gone, places.is_superseded(id, creator, kAnyId));
      if (is_gone) continue;
      if (block.part == CallPart::request) {
        found.requests.push_back(id);
      } else if (block.first_cause) {
        Id& result = found.results.try_emplace(*block.first_cause, id).first->second;
        result = std::min(result, id);
      }
    }
  }
  std::ranges::sort(found.requests);
  const auto twice = std::ranges::unique(found.requests);
  found.requests.erase(twice.begin(), twice.end());
  return found;
}

}  // namespace

Result<CallBlock> find_call_block(LateContext& with, Id block) {
  CallBlock found;
  Id type = 0;
  bool is_sealed = false;
  {
    Rows rows = with.database.query(
        "SELECT type, because, CAST(metadata IS NOT NULL OR content IS NOT NULL AS INTEGER) FROM "
        "thoughts "
        "WHERE id = ?",
        block);
    if (!rows.next()) {
      WEFT_TRY(rows.status());
      return found;
    }
    type = rows.integer(0);
    is_sealed = rows.integer(2) != 0;
    if (const auto refs = unpack_refs(rows.bytes(1), block); refs && !refs->empty()) {
      found.first_cause = refs->front().thought;
    }
  }
  if (const Result<std::string_view> name = with.words.text(type)) found.part = call_part(*name);
  if (!is_sealed || found.part == CallPart::none) return found;
  Rows rows = with.database.query(
      "SELECT substr(coalesce(content, metadata), 1, 8) FROM thoughts WHERE id = ?", block);
  if (rows.next()) found.key = key_of(rows.bytes(0));
  WEFT_TRY(rows.status());
  return found;
}

Result<std::optional<OpenedThought>> open_stored(LateContext& with, Id id) {
  WEFT_TRY_VALUE(auto stored, find_stored(with, id));
  if (!stored) return std::nullopt;
  OpenedThought opened{.stored = *std::move(stored)};
  opened.layers = open_layers(opened.stored.thought, with.keyring);
  return opened;
}

Result<ConversationCalls> read_calls(LateContext& with, Id conversation) {
  ConversationCalls out;
  WEFT_TRY_VALUE(const auto creator, creator_of(with, conversation));
  if (!creator) return out;
  WEFT_TRY_VALUE(PlacedCalls placed, find_placed(with, conversation, *creator));
  out.keys = std::move(placed.keys);
  const CallKeys keys(with.keyring);
  for (const Id id : placed.requests) {
    WEFT_TRY_VALUE(const auto request, open_stored(with, id));
    if (!request) continue;
    const auto request_key = key_of(request->stored.thought.layers);
    if (!keys.opens(request_key)) continue;
    CallStatement call{.request = id,
                       .time = request->stored.thought.created_at,
                       .is_sealed = request_key.has_value()};
    const auto answer = placed.results.find(id);
    if (answer == placed.results.end()) {
      call.edits = edits_of_call(request->open(), {});
    } else if (states_edits(request->open())) {
      WEFT_TRY_VALUE(const auto result, open_stored(with, answer->second));
      if (!result) continue;
      const auto result_key = key_of(result->stored.thought.layers);
      if (!keys.opens(result_key)) continue;
      call.result = answer->second;
      call.is_sealed = call.is_sealed || result_key;
      call.edits = edits_of_call(request->open(), result->open());
    }
    if (!call.edits.empty()) out.calls.push_back(std::move(call));
  }
  return out;
}

}  // namespace weft::store::sql
