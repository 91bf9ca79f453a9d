#include "weft/store/sql/read/outline_rows.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/forget/sealed.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

// A connection, as far as an outline needs it.
struct Link {
  Id relation = 0, from = 0, to = 0;
  std::optional<std::int64_t> position{};
  Id id = 0;
};

// By index, then as woven.
bool comes_before(const Link& a, const Link& b) {
  return std::tie(a.position, a.id) < std::tie(b.position, b.id);
}

// The connections by one creator of a few relations, at any of many ends. Keeps the pages it read:
// the pages of a conversation's turns are those of its blocks.
class LinksByCreator {
 public:
  LinksByCreator(Edges& edges, Id creator, std::vector<Id> relations)
      : edges_(edges), creator_(creator), relations_(std::move(relations)) {}

  // Visits each connection that may have one of these ends, and others. Sorts `ends`.
  Status each_near(std::vector<Id> ends, const std::function<void(const Link&)>& visit) {
    std::ranges::sort(ends);
    std::vector<Id> pages;
    for (std::size_t begin = 0; begin < ends.size();) {
      std::size_t end = begin + 1;
      while (end < ends.size() && ends[end] - ends[end - 1] <= kGap) ++end;
      WEFT_TRY_VALUE(const auto some, edges_.pages_between(ends[begin], ends[end - 1]));
      pages.insert(pages.end(), some.begin(), some.end());
      begin = end;
    }
    std::ranges::sort(pages);
    const auto twice = std::ranges::unique(pages);
    pages.erase(twice.begin(), twice.end());
    for (const Id page : pages) {
      WEFT_TRY_VALUE(const auto* const found, read(page));
      for (const Link& link : *found) visit(link);
    }
    return {};
  }

 private:
  // One range of ids is asked for at once if no gap in it is larger: the thoughts of a commit have
  // its connections between them.
  static constexpr Id kGap = 4096;

  Result<const std::vector<Link>*> read(Id page) {
    const auto known = pages_.find(page);
    if (known != pages_.end()) return &known->second;
    WEFT_TRY_VALUE(const auto all, edges_.read(page));
    std::vector<Link> kept;
    for (const Edge& edge : all) {
      if (edge.created_by != creator_) continue;
      if (std::ranges::find(relations_, edge.relation) == relations_.end()) continue;
      kept.push_back({.relation = edge.relation,
                      .from = edge.from,
                      .to = edge.to,
                      .position = edge.position,
                      .id = edge.id});
    }
    return &pages_.emplace(page, std::move(kept)).first->second;
  }

  Edges& edges_;
  Id creator_;
  std::vector<Id> relations_;
  std::unordered_map<Id, std::vector<Link>> pages_;
};

std::vector<Id> ends_of(const std::vector<Link>& links) {
  std::vector<Id> ends;
  ends.reserve(links.size());
  for (const Link& link : links) ends.push_back(link.to);
  return ends;
}

Result<bool> has_cause(const OutlineRows& with, Id block) {
  Rows rows = with.database.query(
      "SELECT CAST(because IS NOT NULL AND length(because) > 0 AS INTEGER) FROM thoughts WHERE id "
      "= ?",
      block);
  const bool has = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return has;
}

Status find_roots(const OutlineRows& with, ConversationOutline& outline) {
  std::optional<std::uint32_t> before;
  for (const OutlineEntry& entry : outline.entries) {
    if (entry.turn == before) continue;
    before = entry.turn;
    WEFT_TRY_VALUE(const bool has, has_cause(with, entry.block));
    outline.turns[entry.turn].is_root = !has;
  }
  return {};
}

// Turns in the order of their connections.
Result<std::vector<TurnItem>> read_turns(const OutlineRows& with, const std::vector<Link>& links) {
  std::vector<TurnItem> turns;
  turns.reserve(links.size());
  ThoughtCursor cursor(with.database);
  for (const Link& link : links) {
    WEFT_TRY(cursor.seek(link.to));
    const ThoughtColumns row = cursor.row();
    WEFT_TRY_VALUE(const TurnContent content, read_turn_content(row.body, link.to));
    WEFT_TRY_VALUE(TurnItem turn, to_turn(with.names, content));
    turn.edge = link.id;
    turn.turn = link.to;
    turn.position = link.position;
    turn.created_at = row.created_at;
    turns.push_back(turn);
  }
  return turns;
}

void sort_by_id(std::vector<Link>& links) { std::ranges::sort(links, {}, &Link::id); }

}  // namespace

TurnContent turn_content(const json::object& content) {
  TurnContent out{.sequence =
                      static_cast<std::uint64_t>(find_int(content, "sequence").value_or(0))};
  const Result<Cid> parent = Cid::parse(find_string(content, "parent").value_or(""));
  if (parent) out.parent = *parent;
  return out;
}

Result<TurnContent> read_turn_content(std::string_view body, Id turn) {
  if (is_packed_turn(body)) {
    WEFT_TRY_VALUE(const auto packed, unpack_turn(body, turn));
    return TurnContent{.sequence = packed.sequence, .parent = packed.parent};
  }
  WEFT_TRY_VALUE(const auto content, unpack_body(body));
  return turn_content(content);
}

Result<TurnItem> to_turn(const Names& names, const TurnContent& content) {
  TurnItem turn{.sequence = content.sequence, .names_parent = content.parent.has_value()};
  if (content.parent) {
    WEFT_TRY_VALUE(turn.parent, names.find_id(*content.parent));
  }
  return turn;
}

Result<OutlineItems> read_items(const OutlineRows& with, Id conversation, Id creator) {
  OutlineItems items;
  const auto word = [&](std::string_view relation) -> Result<Id> {
    WEFT_TRY_VALUE(const auto id, with.words.find_id(relation));
    return id.value_or(-1);  // no edge has it
  };
  WEFT_TRY_VALUE(const Id contains, word("contains"));
  WEFT_TRY_VALUE(const Id rework, word("rework"));
  WEFT_TRY_VALUE(const Id supersedes, word("supersedes"));
  LinksByCreator links(with.edges, creator, {contains, rework, supersedes});

  std::vector<Link> to_turns;
  WEFT_TRY(links.each_near({conversation}, [&](const Link& link) {
    if (link.relation == contains && link.from == conversation) to_turns.push_back(link);
  }));
  sort_by_id(to_turns);
  WEFT_TRY_VALUE(items.turns, read_turns(with, to_turns));

  std::unordered_set<Id> turns;
  for (const Link& link : to_turns) turns.insert(link.to);
  std::vector<Link> to_blocks;
  WEFT_TRY(links.each_near(ends_of(to_turns), [&](const Link& link) {
    if (link.relation == contains && turns.contains(link.from)) to_blocks.push_back(link);
  }));
  sort_by_id(to_blocks);

  std::vector<Link> to_thinkings;
  std::unordered_set<Id> superseded;
  WEFT_TRY(links.each_near(ends_of(to_blocks), [&](const Link& link) {
    if (link.relation == rework) to_thinkings.push_back(link);
    if (link.relation == supersedes) superseded.insert(link.to);
  }));
  std::ranges::sort(to_thinkings, [](const Link& a, const Link& b) {
    return a.to != b.to ? a.to < b.to : comes_before(a, b);
  });
  // Sealed thoughts stand at the places of those that are gone.
  WEFT_TRY_VALUE(const auto gone, find_gone(with.database, with.words));
  items.blocks.reserve(to_blocks.size() + to_thinkings.size());
  for (const Link& link : to_blocks) {
    if (gone.contains(link.to)) continue;
    BlockItem item{.edge = link.id,
                   .turn = link.from,
                   .block = link.to,
                   .position = link.position,
                   .is_superseded = superseded.contains(link.to)};
    items.blocks.push_back(item);
    for (const Link& summary : std::ranges::equal_range(to_thinkings, link.to, {}, &Link::to)) {
      item.block = summary.from;
      item.is_summary = true;
      items.blocks.push_back(item);
    }
  }
  return items;
}

Result<ConversationOutline> read_outline(const OutlineRows& with, Id conversation, Id creator) {
  WEFT_TRY_VALUE(const auto items, read_items(with, conversation, creator));
  ConversationOutline outline = arrange(items);
  outline.conversation = conversation;
  if (std::ranges::any_of(outline.turns, &OutlineTurn::names_parent)) {
    WEFT_TRY(find_roots(with, outline));
  }
  return outline;
}

Status ThoughtCursor::seek(Id id) {
  // Stepping over a few rows is faster than to look for one.
  constexpr Id kNear = 64;
  bool is_there = rows_ && at_ == id;
  if (!is_there && rows_ && id > at_ && id - at_ <= kNear) {
    while (at_ < id && rows_->next()) at_ = rows_->integer(0);
    is_there = at_ == id;
  } else if (!is_there) {
    rows_.reset();  // the statement is free again
    rows_.emplace(database_.query("SELECT * FROM thoughts WHERE id >= ? ORDER BY id", id));
    is_there = rows_->next() && rows_->integer(0) == id;
    at_ = id;
  }
  if (is_there) return {};
  Status status = rows_->status();
  rows_.reset();
  if (!status) return status;
  return fail(ErrorCode::not_found, "a thought of the conversation is not stored");
}

Result<BlockRecord> read_record(const OutlineRows& with, const ThoughtColumns& row,
                                const crypto::Keyring* keyring, thought::Keys keys) {
  BlockRecord record{.type = row.type, .created_at = row.created_at};
  WEFT_TRY_VALUE(const auto refs, unpack_refs(row.because, row.id));
  // A source that is quoted several times is one cause.
  for (const PackedRef& ref : refs) {
    const bool is_known = std::ranges::find(record.causes, ref.thought) != record.causes.end();
    if (!is_known) record.causes.push_back(ref.thought);
  }
  // As much of the thought as its layers are bound to.
  thought::Thought block;
  WEFT_TRY_VALUE(block.type, with.words.text(row.type));
  block.created_at = row.created_at;
  WEFT_TRY_VALUE(block.content, unpack_body(row.body));
  if (!row.metadata && !row.content) {
    record.statement = statement_of(block, {});
    return record;
  }
  WEFT_TRY_VALUE(block.created_by, with.names.cid(row.created_by));
  if (row.metadata) {
    WEFT_TRY_VALUE(block.layers.metadata, unpack_box(*row.metadata));
  }
  if (row.content) {
    WEFT_TRY_VALUE(block.layers.content, unpack_box(*row.content));
  }
  record.statement = statement_of(block, open_layers(block, keyring, keys));
  return record;
}

Result<BlockFacts> to_facts(const OutlineRows& with, const BlockRecord& record, bool is_closed) {
  const Statement& says = record.statement;
  WEFT_TRY_VALUE(const auto type, with.words.text(record.type));
  BlockFacts facts{.type = std::string(type),
                   .created_at = record.created_at,
                   .stated = says.stated[0],
                   .is_closed = is_closed,
                   .causes = record.causes};
  if (says.metadata == LayerState::open) merge(facts.stated, says.stated[1]);
  if (says.content == LayerState::open) merge(facts.stated, says.stated[2]);
  return facts;
}

}  // namespace weft::store::sql
