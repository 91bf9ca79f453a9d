// Conversations: their rows, who stands in them, and everything that one holds.
#include <algorithm>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/usage.hpp"

namespace weft::store::sql {
namespace {

std::unexpected<Error> no_conversation(const Cid& cid) {
  return fail(ErrorCode::not_found, "no conversation is named " + cid.str());
}

// The parts of each_of's order that are read as bodies.
enum class Part { speakers, conversation, blocks, turns, facts, left_out };

Part part_of(std::string_view type) {
  const std::string_view kind = thought::kind_of(type);
  if (kind == "identity" || kind == "schema" || type.starts_with("schema/") ||
      type.starts_with("input/")) {
    return Part::speakers;
  }
  if (kind == "conversation") return Part::conversation;
  if (kind == "turn") return Part::turns;
  if (kind == "conversation_facts" || kind == thought::kUsageKind) return Part::facts;
  // These come by their chain, and where something leads to what they list.
  if (type == thought::kCheckpointType || type == thought::kTombstoneType) return Part::left_out;
  return Part::blocks;
}

// The conversation that an edge leads to, if it is not this one's own.
std::optional<Cid> other_conversation(const thought::Thought& thought) {
  if (thought.type != thought::kConnectionType) return std::nullopt;
  const std::string_view relation = find_string(thought.content, "relation").value_or("");
  if (relation != "continues" && relation != "spawns" && relation != "summarizes") {
    return std::nullopt;
  }
  const Result<Cid> to = Cid::parse(find_string(thought.content, "to").value_or(""));
  if (!to) return std::nullopt;
  return *to;
}

}  // namespace

Result<ConversationRow> Reader::to_conversation(const Rows& row) {
  ConversationRow out;
  WEFT_TRY_VALUE(auto cid, names_.cid(row.integer(0)));
  out.cid = cid;
  out.format = row.bytes(1);
  out.session_id = row.bytes(2);
  out.source = row.bytes(3);
  out.created_at = row.integer(4);
  out.turn_count = static_cast<std::uint64_t>(row.integer(5));
  out.block_count = static_cast<std::uint64_t>(row.integer(6));
  out.thought_count = static_cast<std::uint64_t>(row.integer(7));
  out.imported = row.integer(8) != 0;
  WEFT_TRY_VALUE(auto newest, newest_of(database_, row.integer(0)));
  for (const auto& [id, member] :
       {std::pair(newest.facts, &out.facts), std::pair(newest.checkpoint, &out.checkpoint)}) {
    if (!id) continue;
    WEFT_TRY_VALUE(auto found, names_.cid(*id));
    *member = found;
  }
  if (newest.creator) {
    WEFT_TRY_VALUE(auto creator, names_.cid(*newest.creator));
    out.created_by = creator;
  }
  return out;
}

Result<std::vector<ConversationRow>> Reader::conversations(const ConversationFilter& filter) {
  Rows rows = database_.query(
      "SELECT id, format, session_id, source, created_at, turns, blocks, thoughts, adopted "
      "FROM conversations WHERE (format = ?1 OR ?1 IS NULL) AND "
      "(session_id = ?2 OR ?2 IS NULL) ORDER BY touched DESC, id DESC",
      filter.format, filter.session_id);
  std::vector<ConversationRow> found;
  while (rows.next()) {
    WEFT_TRY_VALUE(auto row, to_conversation(rows));
    WEFT_TRY(count_own(rows.integer(0), row));
    found.push_back(std::move(row));
  }
  WEFT_TRY(rows.status());
  return found;
}

Result<ConversationRow> Reader::conversation(const Cid& cid) {
  WEFT_TRY_VALUE(auto id, names_.find_id(cid));
  if (!id) return no_conversation(cid);
  Rows rows = database_.query(
      "SELECT id, format, session_id, source, created_at, turns, blocks, thoughts, adopted "
      "FROM conversations WHERE id = ?",
      *id);
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return no_conversation(cid);
  }
  WEFT_TRY_VALUE(auto row, to_conversation(rows));
  WEFT_TRY(count_own(*id, row));
  return row;
}

Result<std::vector<Cid>> Reader::conversations_of(const Cid& thought) {
  WEFT_TRY_VALUE(auto id, names_.find_id(thought));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  if (!id || !contains) return std::vector<Cid>();
  // A block stands in turns, a turn in conversations; the newest edge is the newest place.
  return to_cids(
      database_.query("SELECT conversation FROM ("
                      "SELECT from_id AS conversation, id AS place, created_by AS creator "
                      "FROM connections WHERE to_id = ?1 AND relation = ?2 UNION ALL "
                      "SELECT turn.from_id, block.id, turn.created_by "
                      "FROM connections block JOIN connections turn "
                      "ON turn.to_id = block.from_id AND turn.relation = ?2 "
                      "AND turn.created_by = block.created_by "
                      "WHERE block.to_id = ?1 AND block.relation = ?2) AS held "
                      "JOIN thoughts talk ON talk.id = conversation AND talk.created_by = creator "
                      "WHERE conversation IN (SELECT id FROM conversations) "
                      "GROUP BY conversation ORDER BY max(place) DESC",
                      *id, *contains));
}

Result<std::vector<Holder>> Reader::holders(const Cid& block, Id after) {
  constexpr std::int64_t kAtOnce = 16;
  std::vector<Holder> holders;
  WEFT_TRY_VALUE(auto id, names_.find_id(block));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  if (!id || !contains) return holders;
  Rows rows = database_.query(
      "SELECT block.id, turn.from_id FROM connections block JOIN connections turn "
      "ON turn.to_id = block.from_id AND turn.relation = ?2 "
      "AND turn.created_by = block.created_by "
      "JOIN thoughts talk ON talk.id = turn.from_id AND talk.created_by = turn.created_by "
      "WHERE block.to_id = ?1 AND block.relation = ?2 AND block.id > ?3 "
      "AND turn.from_id IN (SELECT id FROM conversations) ORDER BY block.id LIMIT ?4",
      *id, *contains, after, kAtOnce);
  while (rows.next()) {
    WEFT_TRY_VALUE(auto conversation, names_.cid(rows.integer(1)));
    holders.push_back({.place = rows.integer(0), .conversation = conversation});
  }
  WEFT_TRY(rows.status());
  return holders;
}

// A conversation that came by import and grew here is its owner's: only sources tell of it.
Result<std::optional<Cid>> Reader::owner() {
  Rows rows = database_.query(
      "SELECT coalesce("
      "(SELECT created_by FROM thoughts WHERE id = "
      "(SELECT min(id) FROM conversations WHERE adopted = 0)), "
      "(SELECT created_by FROM thoughts WHERE id = "
      "(SELECT conversation FROM source_conversations ORDER BY source LIMIT 1)), "
      "(SELECT created_by FROM thoughts WHERE id = (SELECT min(tombstone) FROM forgotten)))");
  std::optional<Id> id;
  if (rows.next()) id = rows.find_integer(0);
  WEFT_TRY(rows.status());
  if (!id) return std::nullopt;
  WEFT_TRY_VALUE(auto cid, names_.cid(*id));
  return cid;
}

Result<std::optional<weave::KnownConversation>> Reader::find_conversation(
    const transcript::Heading& heading, const Cid& creator) {
  // One that was woven here before one that came by import.
  Rows rows = database_.query(
      "SELECT id, format, session_id, source, created_at, turns, blocks, thoughts, adopted "
      "FROM conversations WHERE session_id = ? AND format = ? AND source = ? "
      "ORDER BY adopted, touched DESC",
      heading.session_id, heading.format, heading.source);
  while (rows.next()) {
    WEFT_TRY_VALUE(auto row, to_conversation(rows));
    if (row.created_by != creator) continue;
    return weave::KnownConversation{.cid = row.cid,
                                    .created_at = row.created_at,
                                    .turns = row.turn_count,
                                    .checkpoint = row.checkpoint,
                                    .facts = row.facts};
  }
  WEFT_TRY(rows.status());
  return std::nullopt;
}

Result<Reader::Members> Reader::members_of(Id conversation) {
  // Runs in order, with what is shared standing before the id that it was woven before.
  struct Piece {
    Id at;
    bool own;
    Id first, last;
  };
  std::vector<Piece> pieces;
  Rows runs = database_.query("SELECT first, last FROM runs WHERE conversation = ? ORDER BY first",
                              conversation);
  while (runs.next()) {
    pieces.push_back({runs.integer(0), true, runs.integer(0), runs.integer(1)});
  }
  WEFT_TRY(runs.status());
  Rows shares = database_.query(
      "SELECT before, thought FROM shares WHERE conversation = ? ORDER BY id", conversation);
  while (shares.next()) {
    pieces.push_back({shares.integer(0), false, shares.integer(1), shares.integer(1)});
  }
  WEFT_TRY(shares.status());

  Members members;
  WEFT_TRY_VALUE(auto creator, creator_of(conversation));
  members.creator = creator.value_or(0);
  // Of blocks: where it stands, the how-manieth that came for that place, and its id.
  std::vector<std::tuple<Id, std::size_t, Id>> order;
  for (const Piece& piece : pieces) {
    members.connections.push_back(
        {piece.first, static_cast<std::uint64_t>(piece.last - piece.first) + 1});
    Rows rows =
        database_.query("SELECT id, type, created_by FROM thoughts WHERE id BETWEEN ? AND ?",
                        piece.first, piece.last);
    while (rows.next()) {
      const Id id = rows.integer(0);
      WEFT_TRY_VALUE(auto type, words_.text(rows.integer(1)));
      const Part part = part_of(type);
      const bool is_structure = part == Part::turns || part == Part::facts ||
                                (part == Part::left_out && type == thought::kCheckpointType);
      if (is_structure && rows.integer(2) != members.creator) {
        members.strangers.insert(rows.integer(2));
      }
      switch (part) {
        case Part::speakers: members.speakers.push_back(id); break;
        case Part::conversation: members.conversation.push_back(id); break;
        // Twice as dense as ids, so that what is shared falls between them.
        case Part::blocks:
          order.emplace_back(piece.own ? 2 * id : 2 * piece.at - 1, order.size(), id);
          break;
        case Part::turns: members.turns.push_back(id); break;
        case Part::facts: members.facts.push_back(id); break;
        case Part::left_out: break;
      }
    }
    WEFT_TRY(rows.status());
  }
  std::ranges::sort(order);
  for (const auto& [at, came, id] : order) members.blocks.push_back(id);
  WEFT_TRY(leave_out_strangers(members));
  return members;
}

Status Reader::visit_thoughts(const std::vector<Id>& ids, const Visit& visit, Visiting& state) {
  for (const Id id : ids) {
    if (!state.go_on) break;
    if (!state.is_first(id)) continue;
    WEFT_TRY_VALUE(auto cid, names_.cid(id));
    Result<std::optional<thought::Thought>> thought = find_thought(id, cid, WithPaths::yes);
    if (!thought) return fail(std::move(thought).error().within("reading " + cid.str()));
    if (!*thought) continue;
    WEFT_TRY(set_covered(id, state.trees, **thought));
    state.go_on = visit(**std::move(thought));
  }
  return {};
}

Status Reader::visit_connections(const Range& range, const std::set<Id>& strangers,
                                 const Visit& visit, Visiting& state) {
  const Id last = range.first + static_cast<Id>(range.count) - 1;
  Rows rows = database_.query("SELECT * FROM connections WHERE id BETWEEN ? AND ? ORDER BY id",
                              range.first, last);
  while (state.go_on && rows.next()) {
    const Edge edge = to_edge(rows);
    const Id id = edge.id;
    if (strangers.contains(edge.created_by) || !state.is_first(id)) continue;
    WEFT_TRY_VALUE(auto cid, names_.cid(id));
    Result<thought::Connection> connection = to_own_connection(edge, state.trees);
    if (!connection) return fail(std::move(connection).error().within("reading " + cid.str()));
    thought::Thought thought = thought::to_thought(*connection);
    thought.cid = cid;
    WEFT_TRY(set_covered(id, state.trees, thought));
    state.go_on = visit(std::move(thought));
  }
  return rows.status();
}

// Its own by their chain; before them those of others that sign what it shares.
Result<std::vector<Id>> Reader::checkpoints_of(Id conversation, Id creator,
                                               std::vector<Cid> signers) {
  std::vector<Id> chain;
  Rows rows = database_.query(
      "SELECT checkpoints.id FROM checkpoints LEFT JOIN thoughts ON thoughts.id = checkpoints.id "
      "WHERE conversation = ? AND coalesce(created_by, ?2) = ?2 ORDER BY seq",
      conversation, creator);
  while (rows.next()) chain.push_back(rows.integer(0));
  WEFT_TRY(rows.status());

  std::vector<Id> checkpoints;
  std::ranges::sort(signers);
  const auto twice = std::ranges::unique(signers);
  signers.erase(twice.begin(), twice.end());
  for (const Cid& signer : signers) {
    WEFT_TRY_VALUE(auto id, names_.find_id(signer));
    if (id && std::ranges::find(chain, *id) == chain.end()) checkpoints.push_back(*id);
  }
  checkpoints.insert(checkpoints.end(), chain.begin(), chain.end());
  return checkpoints;
}

// Other conversations that something of this one speaks of: those that edges lead to, and
// those whose checkpoints sign what it shares.
Result<std::vector<Id>> Reader::conversations_beside(Id conversation,
                                                     const std::vector<Cid>& pointed_at,
                                                     const std::vector<Id>& checkpoints) {
  std::vector<Id> others;
  for (const Cid& cid : pointed_at) {
    WEFT_TRY_VALUE(auto id, names_.find_id(cid));
    if (id) others.push_back(*id);
  }
  for (const Id checkpoint : checkpoints) {
    Rows rows = database_.query("SELECT conversation FROM checkpoints WHERE id = ?", checkpoint);
    if (rows.next()) others.push_back(rows.integer(0));
    WEFT_TRY(rows.status());
  }
  std::ranges::sort(others);
  const auto twice = std::ranges::unique(others);
  others.erase(twice.begin(), twice.end());
  std::erase(others, conversation);
  return others;
}

Status Reader::each_of(const std::vector<Cid>& conversations, const Visit& visit) {
  WEFT_TRY_VALUE(auto snapshot, Transaction::begin(database_, Transaction::Kind::deferred));
  std::vector<Id> ids;
  for (const Cid& conversation : conversations) {
    WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
    if (!id) return no_conversation(conversation);
    ids.push_back(*id);
  }
  WEFT_TRY_VALUE(auto trees, ConversationTrees::load(database_, names_, ids));
  Visiting state{.trees = std::move(trees), .are_several = ids.size() > 1};
  for (std::size_t i = 0; i < ids.size() && state.go_on; ++i) {
    WEFT_TRY_VALUE(auto members, members_of(ids[i]));
    if (members.connections.empty()) return no_conversation(conversations[i]);
    WEFT_TRY(visit_members(ids[i], members, visit, state));
  }
  return state.go_on ? visit_gone_leaves(visit, state) : Status();
}

Status Reader::visit_members(Id conversation, const Members& members, const Visit& visit,
                             Visiting& state) {
  std::vector<Cid> signers, pointed_at;
  const Visit noting = [&](thought::Thought thought) {
    const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature);
    if (tree != nullptr && (signers.empty() || signers.back() != tree->checkpoint)) {
      signers.push_back(tree->checkpoint);
    }
    if (const std::optional<Cid> other = other_conversation(thought)) pointed_at.push_back(*other);
    return visit(std::move(thought));
  };
  for (const auto* part :
       {&members.speakers, &members.conversation, &members.blocks, &members.turns}) {
    WEFT_TRY(visit_thoughts(*part, noting, state));
  }
  for (const Range& range : members.connections) {
    WEFT_TRY(visit_connections(range, members.strangers, noting, state));
  }
  WEFT_TRY(visit_thoughts(members.facts, visit, state));
  WEFT_TRY_VALUE(auto checkpoints,
                 checkpoints_of(conversation, members.creator, std::move(signers)));
  WEFT_TRY_VALUE(auto others, conversations_beside(conversation, pointed_at, checkpoints));
  WEFT_TRY(visit_thoughts(others, visit, state));
  WEFT_TRY(visit_thoughts(checkpoints, visit, state));
  WEFT_TRY_VALUE(auto tombstones, tombstones_beside(members));
  return visit_thoughts(tombstones, visit, state);
}

}  // namespace weft::store::sql
