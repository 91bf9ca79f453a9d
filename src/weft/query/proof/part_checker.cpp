#include "weft/query/proof/part_checker.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "weft/crypto/blake3.hpp"
#include "weft/thought/attestation.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/structure.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {
namespace {

using thought::Thought;

// What the owner alone says, and what is because of nothing.
constexpr std::array<std::string_view, 7> kOwners = {
    "schema", "connection", "checkpoint", "conversation", "turn", "web_resource", "tombstone"};

// Kinds that mean themselves only without a family.
constexpr std::array<std::string_view, 6> kBare = {"identity",   "schema",    "connection",
                                                   "checkpoint", "tombstone", "attestation"};

bool is_in(std::string_view kind, std::span<const std::string_view> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

// Whether a type is what its kind says: a stranger's "x/identity" is no identity.
bool is_sound_type(std::string_view type) {
  const std::string_view kind = thought::kind_of(type);
  if (is_in(kind, kBare)) return type == kind;
  if (kind == "web_resource") return type == "external/web_resource";
  return type.size() > kind.size() + 1 && type.find('/') == type.size() - kind.size() - 1;
}

class PartChecker {
 public:
  explicit PartChecker(const Proof& proof) : proof_(proof), witnesses_(nullptr) {}

  PartReport run() {
    for (const Thought& thought : proof_.thoughts) {
      if (is_sound_type(thought.type)) web_.emplace(thought.cid, &thought);
      else say(thought.cid, "its type is none");
    }
    for (const Stub& stub : proof_.stubs) {
      stubs_.emplace(stub.cid, &stub);
      if (web_.contains(stub.cid)) say(stub.cid, "it is there whole and as a stub");
    }
    check_owner();
    for (const Thought& thought : proof_.thoughts) {
      if (!is_identity(thought)) continue;
      if (const auto added = witnesses_.add(thought); !added) say(thought.cid, added.error());
    }
    for (const Thought& thought : proof_.thoughts) note_edge(thought);
    for (const Thought& thought : proof_.thoughts) check(thought);
    for (const Stub& stub : proof_.stubs) check(stub);
    check_reach();
    for (const Thought& thought : proof_.thoughts) tally(thought);
    report_.stubs = proof_.stubs.size();
    std::ranges::sort(report_.bad, {}, &PartFinding::cid);
    return std::move(report_);
  }

 private:
  void say(const Cid& cid, std::string reason) { report_.bad.push_back({cid, std::move(reason)}); }
  void say(const Cid& cid, const Error& error) { say(cid, error.message); }

  const Thought* find(const Cid& cid) const {
    const auto found = web_.find(cid);
    return found == web_.end() ? nullptr : found->second;
  }
  const Thought* find(const Cid& cid, std::string_view kind) const {
    const Thought* thought = find(cid);
    return thought != nullptr && thought::kind_of(thought->type) == kind ? thought : nullptr;
  }
  bool is_there(const Cid& cid) const { return web_.contains(cid) || stubs_.contains(cid); }

  void check_owner() {
    const Thought* owner = find(proof_.owner, "identity");
    if (owner == nullptr) return say(proof_.owner, "the identity of its owner is not in it");
    report_.owner_name = find_string(owner->content, "name").value_or("");
    report_.owner_key = find_string(owner->content, "pubkey").value_or("");
    if (find_string(owner->content, "kind") != "human") say(owner->cid, "an owner is human");
    if (!is_there(proof_.subject)) say(proof_.subject, "its subject is not in it");
  }

  // Whom the owner's places and edges are about.
  void note_edge(const Thought& thought) {
    if (thought.type == thought::kTombstoneType && thought.created_by == proof_.owner) {
      if (const auto tombstone = thought::to_tombstone(thought)) {
        forgotten_.insert(tombstone->conversations.begin(), tombstone->conversations.end());
        forgotten_.insert(tombstone->forgotten.begin(), tombstone->forgotten.end());
      }
    }
    if (thought.type != thought::kConnectionType) return;
    const auto edge = thought::to_connection(thought);
    if (!edge) return say(thought.cid, edge.error());
    edges_.emplace(thought.cid, *edge);
    if (!is_structure(*edge)) return;
    edges_to_[edge->to].push_back(thought.cid);
    if (edge->relation == "contains" && find(edge->from, "turn") != nullptr)
      placed_.insert(edge->to);
  }

  bool is_input(const Thought& thought) const {
    const auto edge = edges_.find(thought.cid);
    return edge != edges_.end() && !is_structure(edge->second);
  }

  void check(const Thought& thought) {
    const std::string_view kind = thought::kind_of(thought.type);
    if (is_identity(thought)) {
      if (!is_vouched_for(thought)) say(thought.cid, "nothing that the owner signed leads to it");
    } else {
      const auto checked = witnesses_.check(thought);
      if (!checked) say(thought.cid, checked.error());
      else check_signer(thought);
    }
    check_covers(thought);
    check_links(thought);
    if (is_input(thought)) {
      if (edges_.at(thought.cid).from != thought.created_by)
        say(thought.cid, "an input of somebody else's");
    } else if (is_in(kind, kOwners)) {
      if (thought.created_by != proof_.owner)
        say(thought.cid, "a " + std::string(kind) + " by somebody who is not the owner");
      if (!thought.because.empty() || thought.source)
        say(thought.cid, "a " + std::string(kind) + " has no because and no source");
    } else if (thought.type == thought::kAttestationType) {
      check_attestation(thought);
    } else if (!is_identity(thought) && !placed_.contains(thought.cid) && thought.covered.empty()) {
      say(thought.cid, "no turn contains it, and no checkpoint covers it");
    }
    check_shape(thought, kind);
  }

  // A statement of the owner's about thoughts of the proof. What else it is about may be elsewhere.
  void check_attestation(const Thought& thought) {
    if (thought.created_by != proof_.owner)
      say(thought.cid, "an attestation by somebody who is not the owner");
    const auto attestation = thought::to_attestation(thought);
    if (!attestation) return say(thought.cid, attestation.error());
    const auto is_shown = [this](const Cid& cid) { return is_there(cid); };
    if (std::ranges::none_of(attestation->on, is_shown))
      return say(thought.cid, "what it attests is not in the proof");
    if (thought::is_witness(*attestation))
      witnessed_.insert(attestation->on.begin(), attestation->on.end());
  }

  // Structure has the members that it names, and no others.
  void check_shape(const Thought& thought, std::string_view kind) {
    if (kind == thought::kCheckpointType) {
      const auto checkpoint = thought::to_checkpoint(thought);
      if (!checkpoint) say(thought.cid, checkpoint.error());
    }
    if (kind == thought::kTombstoneType) {
      const auto tombstone = thought::to_tombstone(thought);
      if (!tombstone) say(thought.cid, tombstone.error());
    }
  }

  void check_signer(const Thought& thought) {
    const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature);
    if (tree == nullptr) return;
    const Thought* checkpoint = find(tree->checkpoint, thought::kCheckpointType);
    if (checkpoint == nullptr)
      return say(thought.cid, "the checkpoint that signs it is not in the proof");
    const Status signature = check_tree_signature(thought, *checkpoint);
    if (!signature) say(thought.cid, signature.error());
  }

  void check_covers(const Thought& thought) {
    if (thought.covered.empty()) return;
    const bool is_alone = std::holds_alternative<crypto::SignatureBytes>(thought.signature);
    if (!is_alone || thought.covered.size() > 1)
      return say(thought.cid, "it has covers that no proof has");
    const thought::TreeSignature& leaf = thought.covered.front();
    const Thought* checkpoint = find(leaf.checkpoint, thought::kCheckpointType);
    if (checkpoint == nullptr)
      return say(thought.cid, "the checkpoint that covers it is not in the proof");
    const Status cover = check_covered(thought, leaf, *checkpoint);
    if (!cover) say(thought.cid, cover.error());
  }

  // The owner, whom a checkpoint of the owner's covers, or who created what the owner placed. The
  // checkpoint itself is checked as a thought. Who signed a stub is the word of whoever made the
  // selection, so that counts only if the owner signed it.
  bool is_vouched_for(const Thought& identity) const {
    if (identity.cid == proof_.owner || !identity.covered.empty()) return true;
    if (proof_.is_signed && std::ranges::any_of(proof_.stubs, [&](const Stub& stub) {
          return stub.created_by == identity.cid;
        }))
      return true;
    return std::ranges::any_of(proof_.thoughts, [&](const Thought& thought) {
      return thought.created_by == identity.cid && placed_.contains(thought.cid);
    });
  }

  void check_links(const Thought& thought) {
    const auto demand = [&](std::string_view what, const Cid& cid, bool may_be_forgotten) {
      if (is_there(cid) || (may_be_forgotten && forgotten_.contains(cid))) return;
      say(thought.cid, "its " + std::string(what) + " " + cid.str() + " is not in the proof");
    };
    const bool is_statement = thought.type == thought::kAttestationType;
    for (const thought::ContentRef& ref : thought.because) {
      if (!is_statement) demand("because", ref.thought, true);
    }
    if (thought.source) {
      const Thought* source = find(*thought.source);
      if (source == nullptr || !is_input(*source) || source->created_by != thought.created_by)
        say(thought.cid, "its source is no input of its creator's");
    }
    if (const auto edge = edges_.find(thought.cid); edge != edges_.end()) {
      demand("from", edge->second.from, true);
      demand("to", edge->second.to, true);
    }
    if (const auto conversation = conversation_of(thought)) {
      if (find(*conversation, "conversation") == nullptr)
        say(thought.cid, "its conversation is not in the proof");
    }
  }

  static std::optional<Cid> conversation_of(const Thought& thought) {
    if (thought::kind_of(thought.type) != "turn") return std::nullopt;
    const auto cid = Cid::parse(find_string(thought.content, "conversation").value_or(""));
    return cid ? *cid : Cid();
  }

  void check(const Stub& stub) {
    const Thought* creator = find(stub.created_by, "identity");
    if (creator == nullptr) return say(stub.cid, "its creator is no identity in the proof");
    const auto key = crypto::PublicKey::parse(find_string(creator->content, "pubkey").value_or(""));
    if (!key || !key->verifies(stub.signature, crypto::bytes_of(stub.cid.digest())))
      say(stub.cid, "its signature is invalid");
  }

  // Everything is led to from the subject: by what a thought names, and by an edge from where it
  // leads to where it comes from.
  void check_reach() {
    std::vector<Cid> queue = {proof_.subject, proof_.owner};
    std::unordered_set<Cid> reached(queue.begin(), queue.end());
    const auto go = [&](const Cid& cid) {
      if (is_there(cid) && reached.insert(cid).second) queue.push_back(cid);
    };
    while (!queue.empty()) {
      const Cid cid = queue.back();
      queue.pop_back();
      if (const auto into = edges_to_.find(cid); into != edges_to_.end())
        std::ranges::for_each(into->second, go);
      if (const auto stub = stubs_.find(cid); stub != stubs_.end()) go(stub->second->created_by);
      const Thought* thought = find(cid);
      if (thought == nullptr) continue;
      go(thought->created_by);
      if (thought->source) go(*thought->source);
      for (const thought::ContentRef& ref : thought->because) {
        go(ref.thought);
        if (const auto sealed = find_sealed(ref.thought)) go(*sealed);
      }
      if (const auto* tree = std::get_if<thought::TreeSignature>(&thought->signature))
        go(tree->checkpoint);
      for (const thought::TreeSignature& leaf : thought->covered) go(leaf.checkpoint);
      if (const auto conversation = conversation_of(*thought)) go(*conversation);
      if (const auto edge = edges_.find(cid); edge != edges_.end()) {
        go(edge->second.from);
        go(edge->second.to);
      }
    }
    for (const Thought& thought : proof_.thoughts) {
      const bool is_about =
          thought.type == thought::kTombstoneType || thought.type == thought::kAttestationType;
      if (!is_about && !reached.contains(thought.cid))
        say(thought.cid, "nothing leads to it from the subject");
    }
    for (const Stub& stub : proof_.stubs) {
      if (!reached.contains(stub.cid)) say(stub.cid, "nothing leads to it from the subject");
    }
  }

  // The thought that stands for a cause that was sealed, as the owner says.
  std::optional<Cid> find_sealed(const Cid& cause) const {
    if (is_there(cause)) return std::nullopt;
    for (const Thought& thought : proof_.thoughts) {
      if (thought.type != thought::kTombstoneType || thought.created_by != proof_.owner) continue;
      const Result<thought::Tombstone> tombstone = thought::to_tombstone(thought);
      if (!tombstone) continue;
      if (const auto sealed = tombstone->find_sealed(cause)) return sealed;
    }
    return std::nullopt;
  }

  void tally(const Thought& thought) {
    const std::string_view kind = thought::kind_of(thought.type);
    if (kind == thought::kCheckpointType) ++report_.checkpoints;
    if (edges_.contains(thought.cid) && !is_input(thought)) ++report_.edges;
    if (is_identity(thought) || (is_in(kind, kOwners) && kind != "web_resource")) return;
    if (thought.type == thought::kAttestationType) return;
    if (witnessed_.contains(thought.cid)) ++report_.witnessed;
    ++(thought.layers == thought::Layers{} ? report_.whole : report_.sealed);
  }

  const Proof& proof_;
  thought::Witnesses witnesses_;
  std::unordered_map<Cid, const Thought*> web_;
  std::unordered_map<Cid, const Stub*> stubs_;
  std::unordered_map<Cid, thought::Connection> edges_;
  std::unordered_map<Cid, std::vector<Cid>> edges_to_;  // structure alone
  std::unordered_set<Cid> placed_, forgotten_, witnessed_;
  PartReport report_;
};

}  // namespace

PartReport check_part(const Proof& proof) { return PartChecker(proof).run(); }

}  // namespace weft::query
