#include "weft/ingest/import.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/ingest/import_rules.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::ingest {
namespace {

using thought::Thought;
using thought::TreeSignature;
using thought::Verdict;

// A hostile file could be refused thought by thought, one round each.
constexpr int kMaxRounds = 16;

// A file of thoughts, and which of them are valid.
class Import {
 public:
  Import(const store::Store& store, const crypto::Keyring* keyring)
      : store_(store), keyring_(keyring), witnesses_(keyring) {}

  void read(std::string_view text) {
    std::uint64_t line = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      read_line(++line, text.substr(0, end));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
  }

  // Checks identities first, because they sign the rest; then single signatures; then trees,
  // through valid checkpoints. Last, thoughts that depend on something refused or absent are
  // refused, too.
  Status check() {
    for (auto& [cid, entry] : entries_) {
      if (thought::is_identity(entry.thought)) judge(entry, witnesses_.add(entry.thought));
    }
    for (auto& [cid, entry] : entries_) summon(entry.thought.created_by);
    for (auto& [cid, entry] : entries_) {
      if (!thought::is_identity(entry.thought)) judge(entry, witnesses_.check(entry.thought));
    }
    for (auto& [cid, entry] : entries_) {
      check_tree(entry);
      check_boxes(entry);
    }
    read_tombstones();
    WEFT_TRY_VALUE(owner_, store_.owner());
    WEFT_TRY(drop_unfounded());
    WEFT_TRY(check_forgotten());
    return apply_rules();
  }

  std::vector<Thought> accepted(ImportReport& report) const {
    std::vector<Thought> thoughts;
    for (const Cid& cid : order_) {
      const Entry& entry = entries_.at(cid);
      if (!entry.refused.empty()) {
        report.refused.push_back({entry.line, cid.str(), entry.refused});
        continue;
      }
      ++(entry.verdict == Verdict::valid ? report.valid : report.foreign);
      if (thought::kind_of(entry.thought.type) == "conversation")
        report.conversations.push_back(cid);
      thoughts.push_back(entry.thought);
    }
    report.refused.insert(report.refused.end(), unreadable_.begin(), unreadable_.end());
    report.read = order_.size() + unreadable_.size();
    return thoughts;
  }

 private:
  struct Entry {
    Thought thought;
    std::uint64_t line = 0;
    Verdict verdict = Verdict::foreign;
    std::string refused;  // the reason; empty if it is valid
  };

  void read_line(std::uint64_t line, std::string_view text) {
    if (is_blank(text)) return;
    const auto unreadable = [&](std::string reason) {
      unreadable_.push_back({line, "", std::move(reason)});
    };
    Result<ParsedJson> parsed = parse_json(text);
    if (!parsed) return unreadable(parsed.error().message);
    if (parsed->inexact) return unreadable("its JSON cannot be kept exactly");
    Result<Thought> thought = thought::parse_thought(parsed->value);
    if (!thought) return unreadable(thought.error().message);
    const Cid cid = thought->cid;
    if (entries_.emplace(cid, Entry{*std::move(thought), line}).second) order_.push_back(cid);
  }

  static void judge(Entry& entry, const Result<Verdict>& verdict) {
    if (verdict) {
      entry.verdict = *verdict;
    } else {
      entry.refused = verdict.error().message;
    }
  }

  // A creator that the file leaves out may be in the store.
  void summon(const Cid& identity) {
    if (witnesses_.verdict_of(identity) || entries_.contains(identity)) return;
    const Result<Thought> thought = store_.get(identity);
    if (thought && thought::is_identity(*thought)) std::ignore = witnesses_.add(*thought);
  }

  void check_tree(Entry& entry) {
    const auto* signature = std::get_if<TreeSignature>(&entry.thought.signature);
    if (signature == nullptr || !entry.refused.empty()) return;
    const auto here = entries_.find(signature->checkpoint);
    if (here != entries_.end() && !here->second.refused.empty()) {
      entry.refused = "the checkpoint that signs it is invalid";
      return;
    }
    const Result<Thought> checkpoint = here != entries_.end()
                                           ? Result<Thought>(here->second.thought)
                                           : store_.get(signature->checkpoint);
    if (!checkpoint) {
      entry.refused = "the checkpoint that signs it is missing";
      return;
    }
    const Status status = check_tree_signature(entry.thought, *checkpoint);
    if (!status) entry.refused = status.error().message;
  }

  // A box under a key of ours that does not open was made without the key.
  void check_boxes(Entry& entry) const {
    for (const crypto::Layer layer : {crypto::Layer::metadata, crypto::Layer::content}) {
      if (!entry.refused.empty() || thought::open_layer(entry.thought, layer, keyring_)) continue;
      entry.refused = "its " + std::string(crypto::to_string(layer)) +
                      " layer names a key of yours and does not open with it";
    }
  }

  // A conversation that the store's owner forgot is not imported again. The store checks this too,
  // for what is left after the rules.
  Status check_forgotten() const {
    for (const auto& [cid, entry] : entries_) {
      if (!entry.refused.empty() || thought::kind_of(entry.thought.type) != "turn") continue;
      const Result<Cid> conversation =
          Cid::parse(find_string(entry.thought.content, "conversation").value_or(""));
      if (!conversation) continue;
      WEFT_TRY_VALUE(const auto tombstones, store_.forgetting().tombstones_of(*conversation));
      for (const Cid& tombstone : tombstones) {
        WEFT_TRY_VALUE(const auto thought, store_.get_without_path(tombstone));
        const Result<thought::Tombstone> content = thought::to_tombstone(thought);
        const bool is_own = content && thought.created_by == owner_ &&
                            std::ranges::find(content->conversations, *conversation) !=
                                content->conversations.end();
        if (!is_own) continue;
        return fail(ErrorCode::invalid_input,
                    "conversation " + conversation->str() +
                        " was forgotten in this store and is not imported again");
      }
    }
    return {};
  }

  // What is refused may leave a tree without a leaf, or a thought without what it rests on: the
  // rules are applied until they refuse nothing more.
  Status apply_rules() {
    for (int round = 0;; ++round) {
      WEFT_TRY_VALUE(const bool has_refused, apply_rules_once(round < kMaxRounds));
      if (!has_refused) return {};
      WEFT_TRY(drop_unfounded());
    }
  }
  Result<bool> apply_rules_once(bool is_patient) {
    ImportRules rules(store_, [this](const Cid& identity) {
      return witnesses_.verdict_of(identity) == Verdict::valid || identity == owner_;
    });
    for (const auto& [cid, entry] : entries_) {
      if (entry.refused.empty()) rules.learn(entry.thought);
    }
    bool has_refused = false;
    const auto refuse = [&](Entry& entry, std::string reason) {
      has_refused = has_refused || !reason.empty();
      entry.refused = std::move(reason);
    };
    for (auto& [cid, entry] : entries_) {
      if (!entry.refused.empty()) continue;
      WEFT_TRY_VALUE(auto reason, rules.check(entry.thought));
      const bool is_structure = std::holds_alternative<TreeSignature>(entry.thought.signature);
      if (!is_patient && is_structure) reason = "too much of the file's structure is refused";
      refuse(entry, std::move(reason));
    }
    WEFT_TRY(rules.check_chains());
    for (auto& [cid, entry] : entries_) {
      if (entry.refused.empty()) refuse(entry, rules.find_broken(entry.thought));
    }
    return has_refused;
  }

  Result<bool> is_there(const Cid& cid) const {
    const auto here = entries_.find(cid);
    if (here != entries_.end() && here->second.refused.empty()) return true;
    if (was_forgotten(cid)) return true;
    return store_.has(cid);
  }

  // Whether it was forgotten where the file comes from: a tombstone in the file, or one imported
  // before, lists it.
  bool was_forgotten(const Cid& cid) const {
    if (forgotten_.contains(cid)) return true;
    const Result<std::vector<Cid>> tombstones = store_.forgetting().tombstones_of(cid);
    return tombstones && !tombstones->empty();
  }
  void read_tombstones() {
    for (const auto& [cid, entry] : entries_) {
      if (!entry.refused.empty()) continue;
      const Result<thought::Tombstone> tombstone = thought::to_tombstone(entry.thought);
      if (!tombstone) continue;
      forgotten_.insert(tombstone->conversations.begin(), tombstone->conversations.end());
      forgotten_.insert(tombstone->forgotten.begin(), tombstone->forgotten.end());
    }
  }

  // Everything that must be present for a thought to be valid.
  static std::vector<Cid> foundations(const Thought& thought) {
    std::vector<Cid> cids;
    if (thought.source) cids.push_back(*thought.source);
    for (const thought::ContentRef& ref : thought.because) cids.push_back(ref.thought);
    if (const Result<thought::Connection> edge = thought::to_connection(thought)) {
      cids.push_back(edge->from);
      cids.push_back(edge->to);
    }
    if (const Result<thought::Checkpoint> checkpoint = thought::to_checkpoint(thought)) {
      cids.push_back(checkpoint->conversation);
    }
    if (const auto* signature = std::get_if<TreeSignature>(&thought.signature)) {
      cids.push_back(signature->checkpoint);
    }
    return cids;
  }

  // Each thought is refused at most once, together with those that depend on it, so a long chain
  // without a beginning costs its length.
  Status drop_unfounded() {
    std::unordered_map<Cid, std::vector<Cid>> resting;  // on what is not there
    std::vector<Cid> fallen;
    const auto refuse = [&](const Cid& cid) {
      Entry& entry = entries_.at(cid);
      if (!entry.refused.empty()) return;
      entry.refused = "a thought that it depends on or connects is not in the file, or is invalid";
      fallen.push_back(cid);
    };
    for (const auto& [cid, entry] : entries_) {
      if (!entry.refused.empty()) continue;
      for (const Cid& foundation : foundations(entry.thought)) resting[foundation].push_back(cid);
    }
    for (const auto& [foundation, above] : resting) {
      WEFT_TRY_VALUE(const bool is_founded, is_there(foundation));
      if (is_founded) continue;
      for (const Cid& cid : above) refuse(cid);
    }
    while (!fallen.empty()) {
      const Cid cid = fallen.back();
      fallen.pop_back();
      const auto above = resting.find(cid);
      if (above == resting.end()) continue;
      WEFT_TRY_VALUE(const bool is_stored, store_.has(cid));
      if (is_stored) continue;
      for (const Cid& next : above->second) refuse(next);
    }
    return {};
  }

  const store::Store& store_;
  const crypto::Keyring* keyring_;
  thought::Witnesses witnesses_;
  std::optional<Cid> owner_{};  // of the store
  std::unordered_map<Cid, Entry> entries_;
  std::vector<Cid> order_;
  std::set<Cid> forgotten_;  // elsewhere
  std::vector<Refused> unreadable_;
};

}  // namespace

Result<ImportReport> import_thoughts(store::Store& store, const crypto::Keyring* keyring,
                                     std::string_view text, bool index_sealed) {
  Import import(store, keyring);
  import.read(text);
  WEFT_TRY(import.check());
  ImportReport report;
  const std::vector<Thought> thoughts = import.accepted(report);
  if (thoughts.empty()) return report;
  WEFT_TRY_VALUE(auto committed, store.writer().import(
                                     thoughts, {.keyring = keyring, .index_sealed = index_sealed}));
  report.new_thoughts = committed.new_thoughts;
  return report;
}

}  // namespace weft::ingest
