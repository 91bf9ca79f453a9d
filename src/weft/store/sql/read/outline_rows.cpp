#include "weft/store/sql/read/outline_rows.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

// A connection, as far as an outline needs it.
struct Link {
  Id relation = 0, from = 0, to = 0;
  std::optional<std::int64_t> position{};
  Id id = 0;
  std::uint32_t turn = 0;  // the number of its turn, once that is known
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

struct ReadTurn {
  OutlineTurn turn;
  std::optional<Cid> parent{};
  std::size_t order = 0;  // among turns of one sequence
};

Result<ReadTurn> to_turn(const ThoughtColumns& row) {
  const Id id = row.id;
  ReadTurn read{.turn = {.turn = id, .created_at = row.created_at}};
  if (is_packed_turn(row.body)) {
    constexpr std::string_view kRoles[] = {"human", "assistant", "system"};
    WEFT_TRY_VALUE(const auto packed, unpack_turn(row.body, id));
    if (packed.role < std::size(kRoles)) read.turn.role = kRoles[packed.role];
    read.turn.sequence = packed.sequence;
    read.parent = packed.parent;
  } else {
    WEFT_TRY_VALUE(const auto content, unpack_body(row.body));
    read.turn.role = find_string(content, "role").value_or("");
    read.turn.sequence = static_cast<std::uint64_t>(find_int(content, "sequence").value_or(0));
    const Result<Cid> parent = Cid::parse(find_string(content, "parent").value_or(""));
    if (parent) read.parent = *parent;
  }
  read.turn.names_parent = read.parent.has_value();
  return read;
}

// Turns by sequence. Parents are found by their CIDs, which few conversations need.
Result<std::vector<OutlineTurn>> read_turns(const OutlineRows& with,
                                            const std::vector<Link>& contains) {
  std::vector<ReadTurn> read;
  ThoughtCursor cursor(with.database);
  for (const Link& link : contains) {
    WEFT_TRY(cursor.seek(link.to));
    WEFT_TRY_VALUE(auto turn, to_turn(cursor.row()));
    turn.order = read.size();
    read.push_back(std::move(turn));
  }
  std::ranges::sort(read, [](const ReadTurn& a, const ReadTurn& b) {
    return std::tie(a.turn.sequence, a.order) < std::tie(b.turn.sequence, b.order);
  });
  if (std::ranges::any_of(read, [](const ReadTurn& one) { return one.parent.has_value(); })) {
    std::map<Cid, std::size_t> numbers;
    for (std::size_t i = 0; i < read.size(); ++i) {
      WEFT_TRY_VALUE(const auto cid, with.names.cid(read[i].turn.turn));
      numbers.emplace(cid, i);
    }
    for (ReadTurn& one : read) {
      if (!one.parent) continue;
      const auto parent = numbers.find(*one.parent);
      if (parent != numbers.end()) one.turn.parent = parent->second;
    }
  }
  std::vector<OutlineTurn> turns;
  turns.reserve(read.size());
  for (ReadTurn& one : read) turns.push_back(std::move(one.turn));
  return turns;
}

Result<bool> has_cause(const OutlineRows& with, Id block) {
  sqlite::Rows rows = with.database.query(
      "SELECT because IS NOT NULL AND length(because) > 0 FROM thoughts WHERE id = ?", block);
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

}  // namespace

Result<ConversationOutline> read_outline(const OutlineRows& with, Id conversation, Id creator) {
  ConversationOutline outline;
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
  std::ranges::sort(to_turns, comes_before);
  WEFT_TRY_VALUE(outline.turns, read_turns(with, to_turns));

  std::unordered_map<Id, std::uint32_t> numbers;
  numbers.reserve(outline.turns.size());
  for (const OutlineTurn& turn : outline.turns) {
    numbers.emplace(turn.turn, static_cast<std::uint32_t>(numbers.size()));
  }
  std::vector<Link> to_blocks;
  WEFT_TRY(links.each_near(ends_of(to_turns), [&](const Link& link) {
    const auto turn = link.relation == contains ? numbers.find(link.from) : numbers.end();
    if (turn == numbers.end()) return;
    to_blocks.push_back(link);
    to_blocks.back().turn = turn->second;
  }));
  std::ranges::sort(to_blocks, [](const Link& a, const Link& b) {
    return a.turn != b.turn ? a.turn < b.turn : comes_before(a, b);
  });

  std::vector<Link> to_thinkings;
  std::unordered_set<Id> superseded;
  WEFT_TRY(links.each_near(ends_of(to_blocks), [&](const Link& link) {
    if (link.relation == rework) to_thinkings.push_back(link);
    if (link.relation == supersedes) superseded.insert(link.to);
  }));
  std::ranges::sort(to_thinkings, [](const Link& a, const Link& b) {
    return a.to != b.to ? a.to < b.to : comes_before(a, b);
  });
  outline.entries.reserve(to_blocks.size() + to_thinkings.size());
  for (const Link& link : to_blocks) {
    OutlineEntry entry{
        .block = link.to, .turn = link.turn, .is_superseded = superseded.contains(link.to)};
    outline.entries.push_back(entry);
    for (const Link& summary : std::ranges::equal_range(to_thinkings, link.to, {}, &Link::to)) {
      entry.block = summary.from;
      outline.entries.push_back(entry);
    }
  }
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

Result<BlockFacts> read_facts(const OutlineRows& with, const ThoughtColumns& row,
                              const crypto::Keyring* keyring) {
  WEFT_TRY_VALUE(const auto type, with.words.text(row.type));
  BlockFacts facts{.type = std::string(type), .created_at = row.created_at};
  const std::string_view kind = thought::kind_of(facts.type);
  WEFT_TRY_VALUE(const auto refs, unpack_refs(row.because, row.id));
  // A source that is quoted several times is one cause.
  for (const PackedRef& ref : refs) {
    const bool is_known = std::ranges::find(facts.causes, ref.thought) != facts.causes.end();
    if (!is_known) facts.causes.push_back(ref.thought);
  }
  WEFT_TRY_VALUE(const auto clear, unpack_body(row.body));
  facts.stated = stated_facts(kind, clear);
  if (!row.metadata && !row.content) return facts;

  // As much of the thought as its layers are bound to.
  thought::Thought sealed;
  sealed.type = facts.type;
  sealed.created_at = row.created_at;
  WEFT_TRY_VALUE(sealed.created_by, with.names.cid(row.created_by));
  for (const crypto::Layer layer : {crypto::Layer::metadata, crypto::Layer::content}) {
    const auto& bytes = layer == crypto::Layer::metadata ? row.metadata : row.content;
    if (!bytes) continue;
    WEFT_TRY_VALUE(auto box, unpack_box(*bytes));
    (layer == crypto::Layer::metadata ? sealed.layers.metadata : sealed.layers.content) =
        std::move(box);
    const Result<std::string> text = thought::open_layer(sealed, layer, keyring);
    const Result<ParsedJson> parsed = parse_json(text.value_or(""));
    if (!parsed || !parsed->value.is_object()) {
      facts.is_closed = true;
      continue;
    }
    merge(facts.stated, stated_facts(kind, parsed->value.get_object()));
  }
  return facts;
}

}  // namespace weft::store::sql
