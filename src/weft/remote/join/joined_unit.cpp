#include "weft/remote/join/joined_unit.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/facts.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/tree.hpp"
#include "weft/thought/usage.hpp"

namespace weft::remote {

using thought::Connection;
using thought::Thought;

JoinedUnit::JoinedUnit(const JoinedSide& kept, JoinedSide& other, const crypto::Keyring& keyring,
                       const Cid& conversation, Millis at)
    : kept_(kept), other_(other), identities_(keyring), conversation_(conversation), at_(at) {
  unit_.conversation = conversation;
  next_sequence_ = kept.turns().size();
  for (const auto& [cid, turn] : kept.turns()) {
    next_sequence_ = std::max(next_sequence_, turn.sequence + 1);
  }
  for (const Thought& usage : kept.usage()) has_new_requests(usage);
}

Status JoinedUnit::add(const thought::Joining& joining) {
  std::vector<Connection> edges;
  for (JoinedSide::Kept& kept : other_.kept()) {
    Thought& thought = kept.thought;
    const std::string_view kind = thought::kind_of(thought.type);
    const bool is_about_it =
        !thought.because.empty() && thought.because.front().thought == conversation_;
    if (thought.type == thought::kConnectionType) {
      WEFT_TRY_VALUE(edges.emplace_back(), thought::to_connection(thought));
    } else if (thought.type == thought::kCheckpointType) {
      const auto named = find_string(thought.content, "conversation");
      if (named != conversation_.str()) beside_.push_back(std::move(thought));
    } else if (kind == "conversation" || thought.type == thought::kTombstoneType) {
      beside_.push_back(std::move(thought));
    } else if (kind == "turn" || (kind == "conversation_facts" && is_about_it)) {
      continue;  // below
    } else if (kind == thought::kUsageKind && is_about_it) {
      if (has_new_requests(thought)) add_alone(std::move(thought));
    } else {
      add_alone(std::move(thought));
    }
  }
  for (const Connection& edge : edges) {
    if (edge.relation == "supersedes") superseded_.emplace(edge.from, edge.to);
  }
  std::vector<const JoinedSide::Turn*> turns;
  for (const auto& [cid, turn] : other_.turns()) {
    if (!kept_.knows(cid)) turns.push_back(&turn);
  }
  std::ranges::sort(turns, {}, [](const JoinedSide::Turn* turn) {
    return std::pair(turn->sequence, turn->thought.cid);
  });
  for (const JoinedSide::Turn* turn : turns) add_turn(*turn);
  for (const Connection& edge : edges) add_edge(edge);
  add_facts();
  add_alone(make_joining(joining, identities_.owner().cid, at_), &identities_.owner_key());
  return {};
}

void JoinedUnit::add_alone(Thought thought, const crypto::SigningKey* key) {
  thought.covered.clear();
  unit_.signers.push_back(key);
  unit_.thoughts.push_back(std::move(thought));
}

// --- turns ---------------------------------------------------------------------------------------

void JoinedUnit::add_turn(const JoinedSide::Turn& turn) {
  Thought thought = turn.thought;
  const Cid before = thought.cid;
  const Result<Cid> parent = Cid::parse(find_string(thought.content, "parent").value_or(""));
  if (parent && turns_.contains(*parent)) thought.content["parent"] = turns_.at(*parent).str();
  if (const std::optional<Cid> same = find_same_turn(thought)) {
    turns_.emplace(before, *same);
    return;
  }
  const std::uint64_t sequence = next_sequence_++;
  thought.content["sequence"] = sequence;
  thought.cid = cid_of(thought);
  turns_.emplace(before, thought.cid);
  const Connection contains{.relation = "contains",
                            .from = conversation_,
                            .to = thought.cid,
                            .index = sequence,
                            .created_by = thought.created_by,
                            .created_at = thought.created_at};
  unit_.leaves.push_back(thought.cid);
  unit_.leaves.push_back(cid_of(contains));
  unit_.connections.push_back(contains);
  add_alone(std::move(thought));
}

std::optional<Cid> JoinedUnit::find_same_turn(const Thought& turn) {
  const auto without_number = [](const Thought& thought) {
    json::object content = thought.content;
    content.erase("sequence");
    return content;
  };
  const json::object content = without_number(turn);
  for (const auto& [cid, candidate] : kept_.turns()) {
    const bool is_same = candidate.thought.created_at == turn.created_at && turn.created_at > 0 &&
                         !other_.knows(cid) && !same_.contains(cid) &&
                         without_number(candidate.thought) == content;
    if (!is_same) continue;
    same_.insert(cid);
    return cid;
  }
  return std::nullopt;
}

// --- connections ---------------------------------------------------------------------------------

void JoinedUnit::add_edge(const Connection& edge) {
  if (!is_structure(edge)) {
    unit_.connections.push_back(edge);
    return;
  }
  if (edge.relation == "contains") {
    if (edge.from != conversation_) place(edge);
    return;
  }
  unit_.leaves.push_back(cid_of(edge));
  unit_.connections.push_back(edge);
}

// A block stands where it stood, unless the chain that stays has it already, or has another block
// there: then behind the others of its turn.
void JoinedUnit::place(const Connection& edge) {
  Connection placed = edge;
  const auto turn = turns_.find(edge.from);
  if (turn != turns_.end()) placed.from = turn->second;
  Positions& positions = positions_of(placed.from);
  if (const auto same = positions.free.find(edge.to); same != positions.free.end()) {
    positions.free.erase(same);
    return;
  }
  placed.index = position_for(edge, positions);
  positions.taken.insert(*placed.index);
  unit_.leaves.push_back(cid_of(placed));
  unit_.connections.push_back(std::move(placed));
  ++brought_;
}

std::uint64_t JoinedUnit::position_for(const Connection& edge, Positions& positions) const {
  const auto [first, last] = superseded_.equal_range(edge.to);
  for (auto at = first; at != last; ++at) {
    const auto found = positions.all.find(at->second);
    if (found != positions.all.end()) {
      positions.all.emplace(edge.to, found->second);
      return found->second;
    }
  }
  std::uint64_t index = edge.index.value_or(0);
  if (positions.taken.contains(index)) index = *positions.taken.rbegin() + 1;
  positions.all.emplace(edge.to, index);
  return index;
}

JoinedUnit::Positions& JoinedUnit::positions_of(const Cid& turn) {
  const auto [at, is_new] = positions_.try_emplace(turn);
  const auto kept = kept_.turns().find(turn);
  if (!is_new || kept == kept_.turns().end()) return at->second;
  for (const Connection& edge : kept->second.contents) {
    const std::uint64_t index = edge.index.value_or(0);
    at->second.taken.insert(index);
    at->second.all.emplace(edge.to, index);
    if (!other_.knows(cid_of(edge))) at->second.free.emplace(edge.to, index);
  }
  return at->second;
}

// --- what counts once ----------------------------------------------------------------------------

bool JoinedUnit::has_new_requests(const Thought& usage) {
  bool has_new = false;
  for (const thought::CountedRequest& row :
       thought::parse_usage(open_content(usage, &identities_.keyring()))) {
    const auto [at, is_new] = requests_.try_emplace(row.key(), row.counts);
    const bool is_better = !is_new && thought::is_better(row.counts, at->second);
    if (is_better) at->second = row.counts;
    has_new = has_new || is_new || is_better;
  }
  return has_new;
}

// The newest facts of both, the later ones over the earlier.
void JoinedUnit::add_facts() {
  const auto& ours = kept_.facts();
  const auto& theirs = other_.facts();
  if (!theirs || kept_.knows(theirs->cid)) return;
  const auto opened = [&](const Thought& thought) {
    return open_content(thought, &identities_.keyring());
  };
  const json::object before = ours ? opened(*ours) : json::object();
  thought::KnownFacts older = thought::parse_facts(before);
  thought::KnownFacts newer = thought::parse_facts(opened(*theirs));
  const bool is_ours_newer =
      ours && std::tuple(older.facts.updated_at.value_or(0), ours->created_at, ours->cid) >
                  std::tuple(newer.facts.updated_at.value_or(0), theirs->created_at, theirs->cid);
  if (is_ours_newer) std::swap(older, newer);
  older.facts.merge(newer.facts);
  older.models.insert(newer.models.begin(), newer.models.end());
  json::object content = to_content(older);
  if (content == before) return;
  Thought facts;
  facts.type = theirs->type;
  facts.created_by = identities_.owner().cid;
  facts.created_at = at_;
  facts.because = {{.thought = conversation_}};
  const bool is_sealed = is_sealed_by_choice(*theirs) || (ours && is_sealed_by_choice(*ours));
  const crypto::Keyring& keyring = identities_.keyring();
  set_content(facts, std::move(content), keyring,
              is_sealed ? crypto::SealMode::all : keyring.seal_mode());
  facts.cid = cid_of(facts);
  add_alone(std::move(facts), &identities_.owner_key());
}

// --- the commit ----------------------------------------------------------------------------------

Result<std::vector<Thought>> JoinedUnit::close(const Cid& previous,
                                               const thought::Checkpoint& end) {
  cover_all(unit_);
  thought::Checkpoint content{.conversation = conversation_,
                              .previous = previous,
                              .leaves = unit_.leaves.size(),
                              .blocks = end.blocks,
                              .head = end.head};
  const thought::Tree tree(unit_.leaves);
  content.root = tree.root();
  for (const Connection& edge : unit_.connections) {
    if (edge.relation != "contains" || edge.from == conversation_) continue;
    content.head = thought::next_head(content.head, edge.to);
    ++content.blocks;
  }
  Thought checkpoint;
  checkpoint.type = thought::kCheckpointType;
  checkpoint.created_by = identities_.owner().cid;
  checkpoint.created_at = at_;
  checkpoint.content = to_content(content);
  checkpoint.cid = cid_of(checkpoint);
  unit_.checkpoint = checkpoint.cid;
  sign_by_tree(unit_);
  sign(unit_);
  checkpoint.signature = identities_.owner_key().sign(crypto::bytes_of(checkpoint.cid.digest()));

  std::map<Cid, std::uint64_t> leaves;
  for (std::uint64_t i = 0; i < unit_.leaves.size(); ++i) leaves.emplace(unit_.leaves[i], i);
  std::vector<Thought> all = std::move(beside_);
  const auto add = [&](Thought thought) {
    const std::uint64_t leaf = leaves.at(thought.cid);
    if (auto* by_tree = std::get_if<thought::TreeSignature>(&thought.signature)) {
      by_tree->path = tree.path(leaf);
    } else {
      thought.covered = {{.checkpoint = checkpoint.cid, .index = leaf, .path = tree.path(leaf)}};
    }
    all.push_back(std::move(thought));
  };
  for (Thought& thought : unit_.thoughts) add(std::move(thought));
  for (const Connection& edge : unit_.connections) {
    Thought thought = to_thought(edge);
    thought.cid = cid_of(edge);
    add(std::move(thought));
  }
  all.push_back(std::move(checkpoint));
  return all;
}

}  // namespace weft::remote
