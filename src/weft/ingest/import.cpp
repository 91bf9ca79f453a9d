#include "weft/ingest/import.hpp"

#include <map>
#include <set>
#include <unordered_map>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::ingest {
namespace {

using thought::Thought;
using thought::TreeSignature;
using thought::Verdict;

// A file of thoughts, and which of them are valid.
class Import {
 public:
  Import(const store::Store& store, const crypto::Keyring* keyring)
      : store_(store), witnesses_(keyring) {}

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
      const std::optional<Error> newer = thought::find_newer_version(entry.thought);
      if (newer && entry.refused.empty()) entry.refused = newer->message;
    }
    for (auto& [cid, entry] : entries_) check_tree(entry);
    for (auto& [cid, entry] : entries_) check_cover(entry);
    read_tombstones();
    return drop_unfounded();
  }

  std::vector<Thought> accepted(ImportReport& report) const {
    std::vector<Thought> thoughts;
    ImportedTrees trees;
    for (const Cid& cid : order_) {
      const Entry& entry = entries_.at(cid);
      if (!entry.refused.empty()) {
        report.refused.push_back({entry.line, cid.str(), entry.refused});
        continue;
      }
      ++(entry.verdict == Verdict::valid ? report.valid : report.foreign);
      if (thought::kind_of(entry.thought.type) == "conversation")
        report.conversations.push_back(cid);
      trees.add(entry.thought);
      thoughts.push_back(entry.thought);
    }
    report.incomplete = trees.find_incomplete([&](const Cid& checkpoint) {
      const Result<std::vector<Cid>> leaves = store_.audit().leaves(checkpoint);
      return leaves && !leaves->empty();
    });
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
    check_leaf(entry, *signature, "signs", [](const Thought& thought, const Thought& checkpoint) {
      return check_tree_signature(thought, checkpoint);
    });
  }

  // Further leaves have no path: what they state is proven where the whole tree is here.
  void check_cover(Entry& entry) {
    const bool is_alone = std::holds_alternative<crypto::SignatureBytes>(entry.thought.signature);
    if (!is_alone || entry.thought.covered.empty() || !entry.refused.empty()) return;
    const TreeSignature& leaf = entry.thought.covered.front();
    check_leaf(entry, leaf, "covers", [&](const Thought& thought, const Thought& checkpoint) {
      return check_covered(thought, leaf, checkpoint);
    });
  }

  // Refuses a thought that is not the stated leaf; `does` says what the checkpoint does to it.
  template <class Check>
  void check_leaf(Entry& entry, const TreeSignature& leaf, std::string_view does,
                  const Check& check) {
    const auto refuse = [&](std::string_view what) {
      entry.refused = "the checkpoint that " + std::string(does) + " it is " + std::string(what);
    };
    const auto here = entries_.find(leaf.checkpoint);
    if (here != entries_.end() && !here->second.refused.empty()) return refuse("invalid");
    const Result<Thought> checkpoint = here != entries_.end()
                                           ? Result<Thought>(here->second.thought)
                                           : store_.get(leaf.checkpoint);
    if (!checkpoint) return refuse("missing");
    const Status status = check(entry.thought, *checkpoint);
    if (!status) entry.refused = status.error().message;
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
  thought::Witnesses witnesses_;
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
