#include "weft/store/sql/late/tally_counting.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/places.hpp"
#include "weft/store/sql/late/stored_thought.hpp"

namespace weft::store::sql {
namespace {

struct RequestTime {
  bool is_request = false;
  Millis time = 0;
};
Result<RequestTime> read_request(LateContext& with, Id id) {
  RequestTime request;
  std::optional<Id> type;
  Rows rows = with.database.query("SELECT type, created_at FROM thoughts WHERE id = ?", id);
  if (rows.next()) {
    type = rows.integer(0);
    request.time = rows.integer(1);
  }
  WEFT_TRY(rows.status());
  if (!type) return request;
  const Result<std::string_view> name = with.words.text(*type);
  request.is_request = name && thought::kind_of(*name) == "tool_request";
  return request;
}

// Whether a layer is sealed with another key than the keyring's. One that is damaged is not closed.
bool is_closed(const LateContext& with, const std::optional<crypto::Box>& box,
               crypto::Layer layer) {
  if (!box) return false;
  const crypto::LayerKey* key = with.keyring == nullptr ? nullptr : with.keyring->layer(layer);
  return key == nullptr || key->id() != box->key_id;
}

}  // namespace

Result<std::optional<Millis>> time_since(LateContext& with, std::optional<Id> request,
                                         Millis result) {
  if (!request || result <= 0) return std::nullopt;
  WEFT_TRY_VALUE(const RequestTime asked, read_request(with, *request));
  if (!asked.is_request || asked.time <= 0) return std::nullopt;
  return std::max<Millis>(0, result - asked.time);
}

void CountedBlock::add_to(Tally& out, bool is_own, std::int64_t sign) const {
  add_place(out,
            {.block = tally,
             .type = type,
             .author = author,
             .time = time,
             .since_request = since_request,
             .is_own = is_own},
            sign);
}

Result<std::optional<CountedBlock>> read_block(LateContext& with, Id id) {
  WEFT_TRY_VALUE(auto stored, find_stored(with, id));
  if (!stored) return std::nullopt;
  const thought::Thought& thought = stored->thought;
  std::optional<BlockTally> tally = tally_of(thought, open_layers(thought, with.keyring));
  if (!tally) return std::nullopt;
  CountedBlock block{
      .type = stored->type,
      .author = stored->author,
      .time = thought.created_at,
      .tally = *std::move(tally),
      .is_metadata_closed = is_closed(with, thought.layers.metadata, crypto::Layer::metadata),
      .is_content_closed = is_closed(with, thought.layers.content, crypto::Layer::content)};
  if (block.tally.kind == BlockTally::Kind::tool_result) {
    WEFT_TRY_VALUE(block.since_request, time_since(with, stored->first_cause, block.time));
  }
  return block;
}

Result<Millis> time_of(const LateContext& with, Id thought) {
  Millis time = 0;
  Rows rows = with.database.query("SELECT created_at FROM thoughts WHERE id = ?", thought);
  if (rows.next()) time = rows.integer(0);
  WEFT_TRY(rows.status());
  return time;
}

Result<ReadTally> count_blocks(LateContext& with, Id conversation) {
  ReadTally out;
  WEFT_TRY_VALUE(const auto creator, creator_of(with, conversation));
  if (!creator) return out;
  Places places(with, conversation);
  WEFT_TRY_VALUE(const auto turns, places.contents(conversation, *creator));
  for (const auto& [turn_edge, turn] : turns) {
    WEFT_TRY_VALUE(const auto blocks, places.contents(turn, *creator));
    bool is_own_turn = true;
    if (!blocks.empty()) {
      WEFT_TRY_VALUE(is_own_turn, places.is_own(blocks.front().second));
    }
    WEFT_TRY_VALUE(const Millis time, time_of(with, turn));
    add_turns(out.tally, time, {.all = 1, .own = is_own_turn ? 1 : 0});
    for (const auto& [edge, block] : blocks) {
      WEFT_TRY_VALUE(const bool is_gone, places.is_superseded(block, *creator, kAnyId));
      if (is_gone) continue;
      WEFT_TRY_VALUE(const auto counted, read_block(with, block));
      if (!counted) continue;
      WEFT_TRY_VALUE(const bool is_own, places.is_own(block));
      counted->add_to(out.tally, is_own);
      out.is_closed[1] = out.is_closed[1] || counted->is_metadata_closed;
      out.is_closed[2] = out.is_closed[2] || counted->is_content_closed;
    }
  }
  // Of a closed portion nothing is known, not even what it does not say.
  for (std::size_t i = 0; i < kPortions; ++i) {
    if (!out.is_closed[i]) continue;
    out.tally.totals[i] = {};
    out.tally.quarters[i].clear();
  }
  return out;
}

}  // namespace weft::store::sql
