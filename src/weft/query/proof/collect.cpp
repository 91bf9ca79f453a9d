#include "weft/query/proof/collect.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/secrets/clear_secrets.hpp"
#include "weft/query/trace/joins.hpp"
#include "weft/query/trace/trace.hpp"
#include "weft/thought/attestation.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::query {
namespace {

using store::Direction;
using thought::Thought;

// The relations that say what led to what.
bool is_causal(std::string_view relation) { return relation == "causes" || relation == "returns"; }

class Collector {
 public:
  Collector(const Library& library, const Cid& subject, const ProofOptions& options)
      : library_(library), options_(options), foreigners_(library) {
    collected_.proof.subject = subject;
  }

  Result<CollectedProof> run() {
    WEFT_TRY(find_owner());
    WEFT_TRY(follow_causes());
    WEFT_TRY(hide());
    WEFT_TRY(leave_out_unreached());
    WEFT_TRY(find_places());
    WEFT_TRY(add_voices());
    WEFT_TRY(add_structure());
    WEFT_TRY(add_attestations());
    WEFT_TRY(add_checkpoints());
    return finish();
  }

 private:
  struct Queued {
    Cid cid;
    std::uint64_t depth = 0;
  };

  // The one who created the subject's conversation: only that identity's structure counts.
  Status find_owner() {
    const Cid& subject = collected_.proof.subject;
    WEFT_TRY_VALUE(const auto holders, holders_of(library_, subject, foreigners_));
    if (holders.empty()) {
      return fail(ErrorCode::invalid_input,
                  subject.str() + " stands in no conversation, so nobody says that it was said");
    }
    collected_.proof.owner = holders.front().created_by;
    return {};
  }

  Status follow_causes() {
    std::optional<Millis> oldest;
    if (options_.to) {
      WEFT_TRY_VALUE(const auto prompt, library_.web.get_without_path(*options_.to));
      oldest = prompt.created_at;
    }
    const Follow follow = causes_in(library_);
    std::deque<Queued> queue{{collected_.proof.subject}};
    std::set<Cid> seen{collected_.proof.subject}, beyond;
    while (!queue.empty()) {
      const Queued next = queue.front();
      queue.pop_front();
      const Result<Thought> thought = library_.web.get(next.cid);
      if (!thought && thought.error().code == ErrorCode::not_found) {
        absent_.insert(next.cid);
        continue;
      }
      if (!thought) return fail(Error(thought.error()));
      WEFT_TRY_VALUE(const auto steps, follow(*thought, foreigners_));
      blocks_.insert_or_assign(next.cid, *thought);
      note_sealed_causes(*thought, steps);
      steps_[next.cid] = steps;
      const bool is_end = next.depth >= options_.depth || is_prompt(*thought);
      for (const Step& step : steps) {
        if (is_end) {
          if (step.edge == "because") beyond.insert(step.cid);
          continue;
        }
        if (oldest && step.cid != *options_.to && is_older(step.cid, *oldest)) {
          if (step.edge == "because") beyond.insert(step.cid);
          continue;
        }
        if (seen.insert(step.cid).second) queue.push_back({step.cid, next.depth + 1});
      }
    }
    if (options_.to && !blocks_.contains(*options_.to)) {
      return fail(ErrorCode::invalid_input, options_.to->str() + " is not among the causes of " +
                                                collected_.proof.subject.str());
    }
    for (const Cid& cid : beyond) {
      if (blocks_.contains(cid)) continue;
      const Result<Thought> thought = library_.web.get(cid);
      if (!thought && thought.error().code == ErrorCode::not_found) {
        absent_.insert(cid);
        continue;
      }
      if (!thought) return fail(Error(thought.error()));
      hidden_.insert(cid);
      blocks_.insert_or_assign(cid, *thought);
      ++collected_.beyond;
    }
    return {};
  }

  // A cause that was sealed is followed as the thought that stands for it; a tombstone names it.
  void note_sealed_causes(const Thought& thought, const std::vector<Step>& steps) {
    for (const thought::ContentRef& ref : thought.because) {
      if (std::ranges::find(steps, ref.thought, &Step::cid) == steps.end()) {
        absent_.insert(ref.thought);
      }
    }
  }

  bool is_prompt(const Thought& thought) const {
    if (options_.to) return thought.cid == *options_.to;
    return thought::kind_of(thought.type) == "human_input" &&
           thought.cid != collected_.proof.subject;
  }
  bool is_older(const Cid& cid, Millis than) const {
    const Result<Thought> thought = library_.web.get_without_path(cid);
    return thought && thought->created_at < than;
  }

  // Decides which thoughts are stubs.
  Status hide() {
    for (const Cid& cid : options_.hidden) {
      if (!blocks_.contains(cid)) {
        return fail(ErrorCode::invalid_input,
                    cid.str() + " is not among the causes of " + collected_.proof.subject.str());
      }
      hidden_.insert(cid);
    }
    for (const auto& [cid, thought] : blocks_) {
      const std::string kind(thought::kind_of(thought.type));
      if (std::ranges::find(options_.hidden_kinds, kind) != options_.hidden_kinds.end())
        hidden_.insert(cid);
      if (!hidden_.contains(cid) && !secrets_in_clear(thought).empty()) {
        hidden_.insert(cid);
        ++collected_.secrets;
      }
    }
    // A quotation shows a part of what it quotes.
    for (bool is_settled = false; !is_settled;) {
      is_settled = true;
      for (const auto& [cid, thought] : blocks_) {
        const bool quotes = std::ranges::any_of(thought.because, [&](const auto& ref) {
          return ref.anchor && hidden_.contains(ref.thought);
        });
        if (!quotes || !hidden_.insert(cid).second) continue;
        ++collected_.quoting;
        is_settled = false;
      }
    }
    if (hidden_.contains(collected_.proof.subject)) {
      return fail(ErrorCode::invalid_input,
                  collected_.proof.subject.str() +
                      " would be hidden: a secret stands in it, or it was named by --hide");
    }
    return {};
  }

  // What lies behind a stub is shown only if a signed edge says that it led there: its because is
  // not in the file.
  Status leave_out_unreached() {
    std::vector<Cid> queue = {collected_.proof.subject};
    std::set<Cid> reached(queue.begin(), queue.end());
    while (!queue.empty()) {
      const Cid cid = queue.back();
      queue.pop_back();
      std::vector<Cid> led;
      if (hidden_.contains(cid)) {
        WEFT_TRY_VALUE(
            led, library_.web.neighbours_by(collected_.proof.owner, cid, "causes", Direction::to));
      }
      for (const Step& step : steps_[cid]) {
        const bool is_shown = !hidden_.contains(cid) || step.edge != "because" ||
                              std::ranges::find(led, step.cid) != led.end();
        if (is_shown && blocks_.contains(step.cid) && reached.insert(step.cid).second)
          queue.push_back(step.cid);
      }
    }
    std::erase_if(blocks_, [&](const auto& block) { return !reached.contains(block.first); });
    std::erase_if(absent_, [&](const Cid& cid) {
      return std::ranges::none_of(blocks_, [&](const auto& block) {
        return !hidden_.contains(block.first) &&
               std::ranges::any_of(block.second.because,
                                   [&](const auto& ref) { return ref.thought == cid; });
      });
    });
    return {};
  }

  // For each block a turn of the owner's that holds it, in as few conversations as there are.
  Status find_places() {
    for (const auto& [cid, thought] : blocks_) {
      WEFT_TRY_VALUE(const auto turns, library_.web.neighbours_by(collected_.proof.owner, cid,
                                                                  "contains", Direction::to));
      std::optional<Cid> chosen;
      for (const Cid& turn : turns) {
        WEFT_TRY_VALUE(const auto found, library_.web.get_without_path(turn));
        const auto conversation =
            Cid::parse(find_string(found.content, "conversation").value_or(""));
        if (found.created_by != collected_.proof.owner || !conversation) continue;
        if (chosen && !conversations_.contains(*conversation)) continue;
        chosen = turn;
        conversation_of_[turn] = *conversation;
        if (conversations_.contains(*conversation)) break;
      }
      if (!chosen) continue;
      turns_.insert(*chosen);
      conversations_.insert(conversation_of_.at(*chosen));
    }
    return {};
  }

  // Creators, and what they spoke through.
  Status add_voices() {
    identities_.insert(collected_.proof.owner);
    for (const auto& [cid, thought] : blocks_) {
      identities_.insert(thought.created_by);
      if (hidden_.contains(cid) || !thought.source || others_.contains(*thought.source)) continue;
      WEFT_TRY_VALUE(auto source, library_.web.get(*thought.source));
      const auto edge = thought::to_connection(source);
      others_.emplace(source.cid, std::move(source));
      if (!edge || others_.contains(edge->to)) continue;
      WEFT_TRY_VALUE(auto schema, library_.web.get(edge->to));
      others_.emplace(schema.cid, std::move(schema));
    }
    return {};
  }

  // One pass over the conversations: identities with the leaves that vouch for them, turns, the
  // conversations, edges, and tombstones of what is absent.
  Status add_structure() {
    const std::vector<Cid> conversations(conversations_.begin(), conversations_.end());
    return library_.web.each_of(conversations, [this](Thought thought) {
      if (is_wanted(thought)) others_.insert_or_assign(thought.cid, std::move(thought));
      return true;
    });
  }
  bool is_wanted(const Thought& thought) {
    if (identities_.contains(thought.cid)) return true;
    if (thought.created_by != collected_.proof.owner) return covers_what_has_no_place(thought);
    if (thought.type == thought::kConnectionType) return is_wanted_edge(thought);
    if (thought.type == thought::kTombstoneType) {
      const auto tombstone = thought::to_tombstone(thought);
      // One may list several.
      return tombstone && std::ranges::count_if(absent_, [&](const Cid& cid) {
                            return tombstone->lists(cid) && listed_.insert(cid).second;
                          }) > 0;
    }
    return turns_.contains(thought.cid) || conversations_.contains(thought.cid) ||
           covers_what_has_no_place(thought);
  }
  // A block that stands in no turn counts by the checkpoint that covers it, which this pass knows.
  bool covers_what_has_no_place(const Thought& thought) {
    const auto block = blocks_.find(thought.cid);
    if (block != blocks_.end()) block->second.covered = thought.covered;
    return false;
  }
  bool is_wanted_edge(const Thought& thought) const {
    const auto edge = thought::to_connection(thought);
    if (!edge || !is_structure(*edge)) return false;
    const auto is_block = [&](const Cid& cid) { return blocks_.contains(cid); };
    if (edge->relation == "contains") return turns_.contains(edge->from) && is_block(edge->to);
    if (edge->relation == "spawns")
      return is_block(edge->from) && conversations_.contains(edge->to);
    return is_causal(edge->relation) && is_block(edge->from) && is_block(edge->to);
  }

  // What the owner heard of the blocks that are shown.
  Status add_attestations() {
    for (const auto& [cid, thought] : blocks_) {
      if (hidden_.contains(cid)) continue;
      WEFT_TRY_VALUE(const auto effects, library_.web.effects(cid));
      for (const Cid& effect : effects) {
        if (others_.contains(effect)) continue;
        Result<Thought> statement = library_.web.get(effect);
        if (!statement || statement->created_by != collected_.proof.owner) continue;
        const Result<thought::Attestation> attestation = thought::to_attestation(*statement);
        if (attestation && thought::is_witness(*attestation))
          others_.emplace(effect, *std::move(statement));
      }
    }
    return {};
  }

  // What signs the rest. A leaf that needs no cover loses it: its place says more.
  Status add_checkpoints() {
    std::set<Cid> placed;
    for (const auto& [cid, thought] : others_) {
      if (const auto edge = thought::to_connection(thought); edge && edge->relation == "contains")
        placed.insert(edge->to);
    }
    std::set<Cid> checkpoints;
    const auto trim = [&](Thought& thought, bool is_covered) {
      if (const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature))
        checkpoints.insert(tree->checkpoint);
      if (!is_covered || !std::holds_alternative<crypto::SignatureBytes>(thought.signature))
        thought.covered.clear();
      if (thought.covered.size() > 1) thought.covered.resize(1);
      for (const thought::TreeSignature& leaf : thought.covered)
        checkpoints.insert(leaf.checkpoint);
    };
    for (auto& [cid, thought] : others_)
      trim(thought, is_identity(thought) && cid != collected_.proof.owner);
    for (auto& [cid, thought] : blocks_)
      trim(thought, !placed.contains(cid) && !hidden_.contains(cid) &&
                        thought.type != "external/web_resource");
    for (const Cid& cid : checkpoints) {
      WEFT_TRY_VALUE(auto checkpoint, library_.web.get(cid));
      others_.insert_or_assign(cid, std::move(checkpoint));
    }
    return {};
  }

  Result<CollectedProof> finish() {
    for (const Cid& cid : absent_) {
      if (!listed_.contains(cid)) {
        return fail(
            ErrorCode::not_found,
            cid.str() + ", a cause, is not stored, and no tombstone says that it was forgotten");
      }
    }
    for (const Cid& cid : identities_) {
      if (!others_.contains(cid)) {
        WEFT_TRY_VALUE(auto identity, library_.web.get(cid));
        others_.emplace(cid, std::move(identity));
      }
    }
    Proof& proof = collected_.proof;
    for (auto& [cid, thought] : others_) {
      if (!secrets_in_clear(thought).empty()) {
        return fail(ErrorCode::denied, "a secret stands in " + cid.str() + ", of type " +
                                           thought.type + ", which every proof of this shows");
      }
      if (!blocks_.contains(cid)) proof.thoughts.push_back(std::move(thought));
    }
    for (auto& [cid, thought] : blocks_) {
      const auto* signature = std::get_if<crypto::SignatureBytes>(&thought.signature);
      if (hidden_.contains(cid) && signature != nullptr) {
        proof.stubs.push_back({cid, thought.created_by, *signature});
      } else {
        proof.thoughts.push_back(std::move(thought));
      }
    }
    return std::move(collected_);
  }

  const Library& library_;
  const ProofOptions& options_;
  Foreigners foreigners_;
  CollectedProof collected_;
  std::map<Cid, Thought> blocks_;           // what the causes lead through
  std::map<Cid, Thought> others_;           // what checking them takes
  std::map<Cid, std::vector<Step>> steps_;  // from each block to its causes
  std::set<Cid> hidden_;                    // of the blocks: shown as stubs
  std::set<Cid> absent_, listed_;  // causes that are not stored; those that a tombstone lists
  std::set<Cid> turns_, conversations_, identities_;
  std::map<Cid, Cid> conversation_of_;  // by turn
};

}  // namespace

Result<CollectedProof> collect_proof(const Library& library, const Cid& subject,
                                     const ProofOptions& options) {
  return Collector(library, subject, options).run();
}

}  // namespace weft::query
