#include "weft/query/checker.hpp"

#include <algorithm>

#include "weft/thought/tree.hpp"

namespace weft::query {

using thought::Checkpoint;
using thought::Connection;
using thought::Thought;
using thought::TreeSignature;
using thought::Verdict;

namespace {

// What waits for a worker at most: reading must not run away from checking.
constexpr std::size_t kMaxWaiting = 16;

}  // namespace

Checker::Checker(const Library& library, unsigned threads)
    : library_(library), witnesses_(library.keyring) {
  for (unsigned i = 0; i < std::max(1u, threads); ++i) workers_.emplace_back([this] { work(); });
}

Checker::~Checker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

void Checker::bad(const Cid& cid, std::string reason) {
  const std::lock_guard lock(mutex_);
  findings_.bad.emplace(cid, std::move(reason));
}

void Checker::missing(const Cid& cid) {
  const std::lock_guard lock(mutex_);
  findings_.missing.insert(cid);
}

void Checker::count(Verdict verdict) {
  if (verdict == Verdict::valid) ++valid_;
  if (verdict == Verdict::foreign) ++foreign_;
  if (verdict == Verdict::consistent) ++consistent_;
}

void Checker::summon(const Cid& identity) {
  {
    const std::shared_lock lock(witnesses_mutex_);
    if (summoned_.contains(identity)) return;
  }
  const Result<Thought> thought = library_.store.get(identity);
  const std::unique_lock lock(witnesses_mutex_);
  summoned_.insert(identity);
  if (!thought || !thought::is_identity(*thought)) return;  // check_one says who is missing
  std::ignore = witnesses_.add(*thought);  // its own turn comes, and says what is wrong
}

void Checker::check(std::vector<store::Form> forms) {
  for (const auto& [thought, canonical] : forms) {
    summon(thought.created_by);
    if (thought.type == thought::kCheckpointType) {
      const std::lock_guard lock(mutex_);
      checkpoints_.emplace(thought.cid, thought);
    }
    if (const auto* signature = std::get_if<TreeSignature>(&thought.signature)) {
      check_leaf(thought.cid, thought.created_by, *signature, nullptr);
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.size() < kMaxWaiting; });
  queue_.push_back(std::move(forms));
  lock.unlock();
  changed_.notify_all();
}

void Checker::check(const Cid& name, const Connection& connection) {
  summon(connection.created_by);
  if (cid_of(connection) != name) {
    bad(name, "its columns do not hash to its CID");
    return;
  }
  if (const auto* signature = std::get_if<TreeSignature>(&connection.signature)) {
    const std::optional<Verdict> verdict = [&] {
      const std::shared_lock lock(witnesses_mutex_);
      return witnesses_.standing(connection.created_by);
    }();
    if (!verdict) return bad(name, "the identity that created it is missing or bad");
    if (connection.relation == "uses_input")
      return bad(name, "its kind may not be signed by a tree");
    check_leaf(name, connection.created_by, *signature, &connection);
    count(*verdict);
    return;
  }
  const Thought thought = thought::to_thought(connection);
  check_one(thought, canonical_form(thought));
}

void Checker::check_alone(Thought thought) {
  all_whole_ = false;
  if (!alone_.insert(thought.cid).second) return;
  summon(thought.created_by);
  look_up(thought.created_by);
  if (thought.source) look_up(*thought.source);
  for (const thought::ContentRef& ref : thought.because) look_up(ref.thought);
  const Result<Connection> edge = thought::to_connection(thought);
  if (edge) {
    look_up(edge->from);
    look_up(edge->to);
  }
  if (thought.type == thought::kCheckpointType) {
    const std::lock_guard lock(mutex_);
    checkpoints_.emplace(thought.cid, thought);
  }
  if (const auto* signature = std::get_if<TreeSignature>(&thought.signature)) {
    if (Result<Thought> checkpoint = library_.store.get(signature->checkpoint)) {
      const Status status = check_tree_signature(thought, *checkpoint);
      if (!status) bad(thought.cid, status.error().message);
      check_alone(*std::move(checkpoint));
    }
    check_leaf(thought.cid, thought.created_by, *signature, edge ? &*edge : nullptr);
  }
  check_one(thought, canonical_form(thought));
}

void Checker::look_up(const Cid& cid) {
  if (!library_.store.has(cid)) missing(cid);
}

void Checker::check_one(const Thought& thought, std::string_view form) {
  Result<Verdict> verdict = [&] {
    if (thought::is_identity(thought)) {
      thought::Witnesses alone(library_.keyring);
      return alone.add(thought);
    }
    const std::shared_lock lock(witnesses_mutex_);
    return witnesses_.check(thought, form);
  }();
  if (verdict) {
    count(*verdict);
  } else {
    bad(thought.cid, verdict.error().message);
  }
}

void Checker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::vector<store::Form> forms = std::move(queue_.front());
    queue_.pop_front();
    ++busy_;
    lock.unlock();
    changed_.notify_all();
    for (const auto& [thought, canonical] : forms) check_one(thought, canonical);
    lock.lock();
    --busy_;
    changed_.notify_all();
  }
}

void Checker::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.empty() && busy_ == 0; });
}

// --- trees, chains, heads ----------------------------------------------------------------

Checker::Tree& Checker::tree_of(const Cid& checkpoint) {
  Tree& tree = trees_[checkpoint];
  if (!tree.loaded) {
    tree.loaded = true;
    if (Result<std::vector<Cid>> leaves = library_.store.leaves(checkpoint)) {
      tree.leaves = *std::move(leaves);
    }
    if (const Result<Thought> thought = library_.store.get(checkpoint)) {
      tree.creator = thought->created_by;
      if (const Result<Checkpoint> content = to_checkpoint(*thought)) {
        tree.conversation = content->conversation;
      }
    }
  }
  return tree;
}

// The signature of one leaf: it stands in the tree where it says. That the tree's root is
// the one that the checkpoint signs is checked once for all of them, in check_trees().
void Checker::check_leaf(const Cid& cid, const Cid& created_by, const TreeSignature& signature,
                         const Connection* edge) {
  const std::lock_guard lock(trees_mutex_);
  Tree& tree = tree_of(signature.checkpoint);
  if (!tree.creator) {
    missing(signature.checkpoint);
    return bad(cid, "the checkpoint that signs it is gone");
  }
  if (*tree.creator != created_by)
    return bad(cid, "it is signed through a checkpoint of somebody else");
  if (edge != nullptr && edge->relation == "contains" && edge->from != tree.conversation) {
    tree.places.emplace_back(signature.index, edge->to);
  }
  if (tree.leaves.empty()) {
    // Held with its own path: an import.
    const Result<Thought> checkpoint = library_.store.get(signature.checkpoint);
    if (!checkpoint) return missing(signature.checkpoint);
    const Result<Thought> thought = library_.store.get(cid);
    if (!thought) return bad(cid, thought.error().message);
    const Status status = check_tree_signature(*thought, *checkpoint);
    if (!status) bad(cid, status.error().message);
    ++tree.seen;
    return;
  }
  if (signature.index >= tree.leaves.size() || tree.leaves[signature.index] != cid) {
    return bad(cid, "it does not stand in its checkpoint's tree where it says");
  }
  ++tree.seen;
}

Status Checker::check_trees() {
  wait();
  std::map<Cid, std::vector<Cid>> by_conversation;
  for (const auto& [cid, thought] : checkpoints_) {
    const Result<Checkpoint> checkpoint = to_checkpoint(thought);
    if (!checkpoint) {
      bad(cid, checkpoint.error().message);
      continue;
    }
    // A stranger may sign checkpoints on any conversation; only its creator's make its chain.
    if (creator_of(checkpoint->conversation) != thought.created_by) continue;
    by_conversation[checkpoint->conversation].push_back(cid);
    const bool whole = all_whole_ || whole_.contains(checkpoint->conversation);
    if (!whole) continue;
    Tree& tree = tree_of(cid);
    if (!tree.leaves.empty()) {
      if (tree.leaves.size() != checkpoint->leaves ||
          thought::Tree(tree.leaves).root() != checkpoint->root) {
        bad(cid, "the leaves of its tree do not lead to its root");
      }
      if (tree.seen != tree.leaves.size()) {
        for (const Cid& leaf : tree.leaves) look_up(leaf);
      }
    }
    if (tree.seen < checkpoint->leaves) {
      bad(cid, std::to_string(checkpoint->leaves - tree.seen) +
                   " of the thoughts that it signs are gone or changed");
    }
  }
  for (const auto& [conversation, checkpoints] : by_conversation) {
    if (all_whole_ || whole_.contains(conversation)) check_chain(conversation, checkpoints);
  }
  return {};
}

std::optional<Cid> Checker::creator_of(const Cid& cid) const {
  const Result<Thought> thought = library_.store.get(cid);
  return thought ? std::optional(thought->created_by) : std::nullopt;
}

void Checker::check_chain(const Cid& conversation, const std::vector<Cid>& checkpoints) {
  std::map<std::optional<Cid>, Cid> after;  // by previous
  for (const Cid& cid : checkpoints) {
    const Checkpoint checkpoint = *to_checkpoint(checkpoints_.at(cid));
    if (!after.emplace(checkpoint.previous, cid).second)
      bad(cid, "two checkpoints follow the same one");
    if (checkpoint.previous && !checkpoints_.contains(*checkpoint.previous))
      missing(*checkpoint.previous);
  }
  Digest head{};
  std::uint64_t blocks = 0;
  std::size_t met = 0;
  std::optional<Cid> at;
  for (auto next = after.find(at); next != after.end(); next = after.find(at)) {
    at = next->second;
    ++met;
    const Checkpoint checkpoint = *to_checkpoint(checkpoints_.at(*at));
    std::vector<std::pair<std::uint64_t, Cid>>& places = trees_[*at].places;
    std::ranges::sort(places);
    for (const auto& [index, block] : places) {
      head = thought::next_head(head, block);
      ++blocks;
    }
    if (checkpoint.blocks != blocks || checkpoint.head != head) {
      bad(*at, "a block of its conversation was removed, moved or added");
      blocks = checkpoint.blocks;
      head = checkpoint.head;
    }
    if (met > checkpoints.size()) break;
  }
  if (met != checkpoints.size()) bad(conversation, "its chain of checkpoints is broken");
}

Findings Checker::finish() {
  wait();
  const std::lock_guard lock(mutex_);
  findings_.valid = valid_;
  findings_.foreign = foreign_;
  findings_.consistent = consistent_;
  findings_.checked = valid_ + foreign_ + consistent_;
  return findings_;
}

}  // namespace weft::query
