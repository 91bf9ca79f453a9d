#include "weft/store/sql/outlines/added_outline.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/outline_rows.hpp"

namespace weft::store::sql {
namespace {

std::unexpected<Error> sealed_outline(Id conversation) {
  return fail(ErrorCode::denied, "the outline of conversation " + std::to_string(conversation) +
                                     " is sealed with other keys");
}

bool is_any_portion_closed(const StoredPage& page) {
  return std::ranges::find(page.is_closed, true) != page.is_closed.end();
}

}  // namespace

Result<bool> AddedOutline::write() {
  WEFT_TRY(find_relations());
  WEFT_TRY_VALUE(const bool is_appended, append());
  if (!is_appended) return false;
  WEFT_TRY(renew_touched());
  return true;
}

Status AddedOutline::find_relations() {
  WEFT_TRY_VALUE(contains_, places_.contains());
  WEFT_TRY_VALUE(supersedes_, places_.supersedes());
  WEFT_TRY_VALUE(const auto rework, with_.words.find_id("rework"));
  rework_ = rework.value_or(0);
  for (const Edge& edge : addition_.edges) {
    if (edge.created_by != addition_.creator) continue;
    if (edge.relation == supersedes_) superseded_.insert(edge.to);
    if (edge.relation == rework_) reworks_[edge.to].push_back(&edge);
    if (edge.relation == supersedes_ || edge.relation == rework_) touched_.insert(edge.to);
    if (edge.relation == contains_ && edge.from == addition_.conversation) turns_[edge.to] = true;
  }
  return {};
}

Result<bool> AddedOutline::append() {
  StoredPage tail{.is_tail = true};
  if (!addition_.is_new) {
    WEFT_TRY_VALUE(auto stored, pages_.find_tail());
    if (!stored) return false;
    if (is_any_portion_closed(*stored)) return sealed_outline(addition_.conversation);
    tail = *std::move(stored);
  }
  OutlineWriter writer(pages_, std::move(tail));
  bool is_changed = addition_.is_new;
  for (const Edge& edge : addition_.edges) {
    if (edge.created_by != addition_.creator || edge.relation != contains_) continue;
    if (edge.from != addition_.conversation) {
      WEFT_TRY_VALUE(const bool is_here, has_turn(edge.from, writer.tail()));
      if (!is_here) continue;
    }
    if (!writer.is_behind_end(edge.id)) return false;
    WEFT_TRY_VALUE(const bool is_appended, append_edge(edge, writer));
    if (!is_appended) return false;
    is_changed = true;
  }
  if (is_changed) WEFT_TRY(writer.finish());
  return true;
}

Result<bool> AddedOutline::append_edge(const Edge& edge, OutlineWriter& writer) {
  if (edge.from != addition_.conversation) {
    WEFT_TRY_VALUE(
        auto group,
        group_of(
            {.edge = edge.id, .turn = edge.from, .block = edge.to, .position = edge.position}));
    WEFT_TRY(writer.add(std::move(group)));
    return true;
  }
  // A turn that is not new may have blocks already.
  const LateAddition::NewThought* added = addition_.find(edge.to);
  if (added == nullptr) return false;
  WEFT_TRY_VALUE(TurnItem turn, to_turn(names_, turn_content(added->thought->content)));
  turn.edge = edge.id;
  turn.turn = edge.to;
  turn.position = edge.position;
  turn.created_at = added->thought->created_at;
  WEFT_TRY(writer.add(turn));
  return true;
}

Result<bool> AddedOutline::has_turn(Id turn, const OutlinePage& tail) {
  if (const auto known = turns_.find(turn); known != turns_.end()) return known->second;
  bool& is_here = turns_[turn];
  is_here = !tail.blocks.empty() && tail.blocks.back().item.turn == turn;
  if (is_here) return true;
  Rows rows = with_.database.query(
      "SELECT from_id FROM connections WHERE to_id = ? AND relation = ? AND created_by = ?", turn,
      contains_, addition_.creator);
  while (rows.next()) {
    if (rows.integer(0) == addition_.conversation) is_here = true;
    else refill_.insert(rows.integer(0));
  }
  WEFT_TRY(rows.status());
  return is_here;
}

Status AddedOutline::renew_touched() {
  for (const Id block : touched_) {
    WEFT_TRY_VALUE(const auto stood, places_.places_of(block, addition_.creator));
    for (const Places::Place& place : stood) {
      const bool is_new = std::ranges::binary_search(addition_.edges, place.edge, {}, &Edge::id);
      if (!is_new) WEFT_TRY(renew(place.conversation, place.edge, block));
    }
  }
  return {};
}

Status AddedOutline::renew(Id conversation, Id edge, Id block) {
  const OutlinePages pages(with_.database, with_.keyring, conversation);
  WEFT_TRY_VALUE(const bool are_stored, pages.are_stored());
  if (!are_stored) return {};
  WEFT_TRY_VALUE(auto stored, pages.find_page(edge));
  if (!stored) return {};
  if (is_any_portion_closed(*stored)) return sealed_outline(conversation);
  std::vector<PageBlock> renewed;
  bool is_replaced = false;  // the group of which a block is a part
  for (PageBlock& one : stored->page.blocks) {
    if (!one.item.is_summary) is_replaced = one.item.block == block;
    if (!is_replaced) {
      renewed.push_back(std::move(one));
      continue;
    }
    if (one.item.is_summary) continue;
    WEFT_TRY_VALUE(auto group, group_of(one.item));
    std::ranges::move(group, std::back_inserter(renewed));
  }
  stored->page.blocks = std::move(renewed);
  return pages.write(*stored);
}

Result<PlacedGroup> AddedOutline::group_of(const BlockItem& place) {
  BlockItem item = place;
  WEFT_TRY_VALUE(item.is_superseded, is_superseded(place.block));
  WEFT_TRY_VALUE(const auto summaries, summaries_of(place.block));
  PlacedGroup group;
  const auto add = [&]() -> Status {
    WEFT_TRY_VALUE(auto record, record_of(item.block));
    item.has_cause = !record.causes.empty();
    group.push_back({item, std::move(record)});
    return {};
  };
  WEFT_TRY(add());
  item.is_summary = true;
  for (const Id summary : summaries) {
    item.block = summary;
    WEFT_TRY(add());
  }
  return group;
}

Result<bool> AddedOutline::is_superseded(Id block) {
  if (superseded_.contains(block)) return true;
  if (addition_.find(block) != nullptr) return false;
  return places_.is_superseded(block, addition_.creator, kAnyId);
}

Result<std::vector<Id>> AddedOutline::summaries_of(Id block) {
  std::vector<Id> found;
  if (addition_.find(block) != nullptr) {
    const auto added = reworks_.find(block);
    if (added == reworks_.end()) return found;
    std::ranges::sort(added->second, [](const Edge* a, const Edge* b) {
      return std::tie(a->position, a->id) < std::tie(b->position, b->id);
    });
    for (const Edge* edge : added->second) found.push_back(edge->from);
    return found;
  }
  if (rework_ == 0) return found;
  Rows rows = with_.database.query(
      "SELECT from_id FROM connections WHERE to_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY position NULLS FIRST, id",
      block, rework_, addition_.creator);
  while (rows.next()) found.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return found;
}

Result<BlockRecord> AddedOutline::record_of(Id block) {
  BlockRecord record;
  if (const LateAddition::NewThought* added = addition_.find(block)) {
    const thought::Thought& thought = *added->thought;
    WEFT_TRY_VALUE(record.type, with_.words.id(thought.type));
    record.created_at = thought.created_at;
    record.causes = added->causes;
    record.statement = added->statement != nullptr
                           ? *added->statement
                           : statement_of(thought, open_layers(thought, with_.keyring));
  } else {
    const OutlineRows rows{with_.database, with_.edges, with_.words, names_};
    ThoughtCursor cursor(with_.database);
    WEFT_TRY(cursor.seek(block));
    WEFT_TRY_VALUE(record, read_record(rows, cursor.row(), with_.keyring));
  }
  for (const Portion portion : {Portion::metadata, Portion::content}) {
    if (record.statement.layer(portion) != LayerState::closed || with_.opens_all()) continue;
    return sealed_outline(addition_.conversation);
  }
  return record;
}

}  // namespace weft::store::sql
