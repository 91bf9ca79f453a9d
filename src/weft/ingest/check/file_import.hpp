// FileImport: a file of thoughts on its way into a store, and which of them are valid. For one
// import (import.hpp), or a file that stands in place of a conversation.
//
//   FileImport import(store, keyring, file);
//   WEFT_TRY(import.read());
//   WEFT_TRY(import.check());
//   …import.report()…import.accepted()…
#pragma once

#include <algorithm>
#include <deque>

#include "weft/base/try.hpp"
#include "weft/ingest/check/import_rules.hpp"
#include "weft/ingest/check/referrers.hpp"
#include "weft/ingest/import.hpp"
#include "weft/ingest/import_checks.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::ingest {

// Thoughts are numbered as in their outlines. For one thread.
class FileImport {
  using Outline = store::Outline;
  using Outlines = store::Outlines;
  using Thought = thought::Thought;
  using Verdict = thought::Verdict;
  static constexpr std::uint32_t kNoNumber = store::kNoNumber;
  // A hostile file could be refused thought by thought, one round each.
  static constexpr int kMaxRounds = 16;

 public:
  FileImport(const store::Store& store, const crypto::Keyring* keyring, const ThoughtsFile& file,
             std::optional<Cid> replaced = {})
      : store_(store), file_(file), keyring_(keyring), replaced_(replaced), witnesses_(keyring) {}

  // Outlines every thought of the file. Identities are checked here, because they sign the rest.
  Status read() {
    return file_.each_line([&](const ThoughtsFile::Line& line) {
      read_line(line);
      const std::size_t bytes =
          outlines_.bytes() + entries_.size() * sizeof(Entry) + identities_ * kIdentityBytes;
      if (bytes <= kMaxOutlineBytes) return Status();
      return Status(fail(ErrorCode::invalid_input,
                         "line " + std::to_string(line.number) +
                             ": the file has more thoughts than one import can check; export "
                             "fewer conversations into each file"));
    });
  }

  // Checks checkpoints first, because structure is signed through them, then everything else. Then
  // thoughts that depend on something refused or absent are refused, too, and structure that may
  // not be imported.
  Status check() {
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (outlines_[i].kind != Outline::Kind::checkpoint) continue;
      WEFT_TRY_VALUE(const Thought thought, get(i));
      judge(i, thought);
    }
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      const Outline::Kind kind = outlines_[i].kind;
      if (kind == Outline::Kind::checkpoint || kind == Outline::Kind::identity) continue;
      WEFT_TRY_VALUE(const Thought thought, get(i));
      judge(i, thought);
    }
    WEFT_TRY(read_tombstones());
    WEFT_TRY(refuse_missing_leaves());
    WEFT_TRY(refuse_unfounded());
    WEFT_TRY_VALUE(owner_, store_.owner());
    WEFT_TRY(keep_sealed(store_, owner_, outlines_));
    drop_refused();
    find_incomplete_conversations();
    WEFT_TRY(check_forgotten(store_, owner_, outlines_));
    WEFT_TRY(apply_rules());
    drop_refused();
    return {};
  }

  // The thoughts that passed. They are read from the file again, so this object stays.
  store::ThoughtsToImport accepted() const {
    return {.outlines = outlines_, .read = [this](std::uint32_t number) { return get(number); }};
  }

  // How many of them the store has not.
  Result<std::uint64_t> count_new() const {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (outlines_[i].is_dropped) continue;
      WEFT_TRY_VALUE(const bool is_here, store_.has(outlines_.cid_of(i)));
      count += is_here ? 0 : 1;
    }
    return count;
  }

  ImportReport report() {
    ImportReport report;
    report.read = outlines_.size() + unreadable_count_;
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (outlines_[i].is_dropped) continue;
      ++(entries_[i].verdict == Verdict::valid ? report.valid : report.foreign);
      if (outlines_[i].kind == Outline::Kind::conversation) {
        report.conversations.push_back(outlines_.cid_of(i));
      }
    }
    report.incomplete = std::move(incomplete_);
    std::ranges::sort(refused_, {}, &Refused::line);
    report.refused_count = refused_count_ + unreadable_count_;
    report.refused = std::move(refused_);
    for (Refused& line : unreadable_) {
      if (report.refused.size() == ImportReport::kMaxListed) break;
      report.refused.push_back(std::move(line));
    }
    return report;
  }

 private:
  struct Entry {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0, line = 0;
    Verdict verdict = Verdict::foreign;
    bool is_refused = false;
  };
  // Memory of one checked identity.
  static constexpr std::size_t kIdentityBytes = 160;

  Result<Thought> get(std::uint32_t number) const {
    if (const Thought* kept = kept_.find(number)) return *kept;
    Result<Thought> thought = file_.read(entries_[number].offset, entries_[number].bytes);
    if (!thought || thought->cid == outlines_.cid_of(number)) return thought;
    return fail(ErrorCode::unavailable, "the file gives other bytes than when it was read before");
  }

  void read_line(const ThoughtsFile::Line& line) {
    if (line.is_too_long()) return unreadable(line.number, "longer than 64 MB");
    const Result<Thought> thought = parse_thought_line(line.text);
    if (!thought) return unreadable(line.number, thought.error().message);
    const std::optional<std::uint32_t> number = outlines_.add(*thought);
    if (!number) return;  // the same once more
    entries_.push_back({.offset = line.offset,
                        .bytes = static_cast<std::uint32_t>(line.bytes),
                        .line = static_cast<std::uint32_t>(line.number)});
    kept_.add(*number, *thought, line.bytes);
    if (!thought::is_identity(*thought)) return;
    ++identities_;
    settle(*number, witnesses_.add(*thought));
  }

  void unreadable(std::uint64_t line, std::string reason) {
    ++unreadable_count_;
    if (unreadable_.size() < ImportReport::kMaxListed) {
      unreadable_.push_back({line, "", std::move(reason)});
    }
  }

  void refuse(std::uint32_t number, std::string reason) {
    ++refused_count_;
    if (refused_.size() < ImportReport::kMaxListed) {
      refused_.push_back(
          {entries_[number].line, outlines_.cid_of(number).str(), std::move(reason)});
    }
    entries_[number].is_refused = true;
  }

  void settle(std::uint32_t number, const Result<Verdict>& verdict) {
    if (!verdict) return refuse(number, verdict.error().message);
    entries_[number].verdict = *verdict;
  }

  // Decides on one thought that is not an identity: every check that needs its content is here.
  void judge(std::uint32_t number, const Thought& thought) {
    if (thought::is_gone(thought)) {
      const Status status = check_leaf(number, thought);
      return settle(number, status ? Result<Verdict>(Verdict::valid) : fail(status.error()));
    }
    summon(thought.created_by);
    Result<Verdict> verdict = witnesses_.check(thought);
    if (verdict && outlines_[number].kind == Outline::Kind::malformed_connection) {
      verdict = fail(ErrorCode::corrupt, "a malformed connection");
    }
    if (const auto newer = thought::find_newer_version(thought)) verdict = fail(*newer);
    Status status;
    if (verdict) status = check_leaf(number, thought);
    if (verdict && status) status = check_boxes(thought, keyring_);
    if (!status) verdict = fail(std::move(status).error());
    settle(number, verdict);
  }

  // A leaf without its thought is one that was sealed, as a tombstone says.
  Status refuse_missing_leaves() {
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (outlines_[i].kind != Outline::Kind::gone || entries_[i].is_refused) continue;
      WEFT_TRY_VALUE(const bool is_known, is_sealed_elsewhere(outlines_[i].cid));
      if (!is_known)
        refuse(i, "a leaf without its thought, and no tombstone says that it was sealed");
    }
    return {};
  }

  void drop_refused() {
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (entries_[i].is_refused && !outlines_[i].is_dropped) outlines_.drop(i);
    }
  }

  // Before the rules, which refuse the structure of such conversations.
  void find_incomplete_conversations() {
    incomplete_ = find_incomplete(outlines_, [&](const Cid& checkpoint) {
      const Result<std::vector<Cid>> leaves = store_.audit().leaves(checkpoint);
      return leaves && !leaves->empty() && !replaced_;
    });
  }

  // What is refused may leave a tree without a leaf, or a thought without what it rests on: the
  // rules are applied until they refuse nothing more.
  Status apply_rules() {
    for (int round = 0;; ++round) {
      WEFT_TRY_VALUE(const bool has_refused, apply_rules_once(round < kMaxRounds));
      if (!has_refused) return {};
      WEFT_TRY(refuse_unfounded());
    }
  }

  Result<bool> apply_rules_once(bool is_patient) {
    const auto is_owner = [this](const Cid& identity) {
      return witnesses_.verdict_of(identity) == Verdict::valid || identity == owner_;
    };
    const auto is_block = [this](const Cid& cid) {
      const auto number = outlines_.find_cid(cid);
      const std::uint32_t here = number ? outlines_.thought_at(*number) : kNoNumber;
      return here != kNoNumber && outlines_[here].kind == Outline::Kind::block;
    };
    ImportRules rules(store_, is_owner, is_block, replaced_);
    const std::uint64_t refused_before = refused_count_;
    WEFT_TRY(each_structure([&](std::uint32_t, const Thought& thought) {
      rules.learn(thought);
      return Status();
    }));
    for (const store::Cover& cover : outlines_.covers()) {
      if (entries_[cover.thought].is_refused) continue;
      rules.learn_cover(outlines_.cid(cover.checkpoint), cover.leaf);
    }
    WEFT_TRY(each_structure([&](std::uint32_t number, const Thought& thought) -> Status {
      WEFT_TRY_VALUE(auto reason, rules.check(thought));
      const bool is_structure = outlines_[number].checkpoint != kNoNumber;
      if (!is_patient && is_structure) reason = "too much of the file's structure is refused";
      if (!reason.empty()) refuse(number, std::move(reason));
      return {};
    }));
    WEFT_TRY(rules.check_chains());
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (entries_[i].is_refused) continue;
      const std::uint32_t checkpoint = outlines_[i].checkpoint;
      std::string reason = rules.find_broken(
          outlines_.cid_of(i), checkpoint == kNoNumber ? nullptr : &outlines_.cid(checkpoint));
      if (!reason.empty()) refuse(i, std::move(reason));
    }
    return refused_count_ != refused_before;
  }

  // Reads each thought again that may be structure and was not refused.
  Status each_structure(
      const std::function<Status(std::uint32_t number, const Thought& thought)>& visit) const {
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (entries_[i].is_refused || !may_be_structure(outlines_[i].kind)) continue;
      WEFT_TRY_VALUE(const Thought thought, get(i));
      WEFT_TRY(visit(i, thought));
    }
    return {};
  }

  // The leaf of a tree that a thought is signed at, or, if it is signed alone, covered at. Further
  // leaves have no path: what they state is proven where the whole tree is here.
  Status check_leaf(std::uint32_t number, const Thought& thought) {
    if (outlines_[number].checkpoint != kNoNumber) {
      WEFT_TRY(load_checkpoint(outlines_[number].checkpoint, "signs"));
      return check_tree_signature(thought, *checkpoint_);
    }
    if (thought.covered.empty()) return {};
    WEFT_TRY(load_checkpoint(*outlines_.find_cid(thought.covered.front().checkpoint), "covers"));
    return check_covered(thought, thought.covered.front(), *checkpoint_);
  }

  // The thought of this CID in the file; kNoNumber if there is none, or it was refused.
  std::uint32_t find_valid(std::uint32_t cid) const {
    const std::uint32_t here = outlines_.thought_at(cid);
    return here != kNoNumber && entries_[here].is_refused ? kNoNumber : here;
  }

  // A creator that the file leaves out may be in the store.
  void summon(const Cid& identity) {
    if (witnesses_.verdict_of(identity)) return;
    const std::optional<std::uint32_t> cid = outlines_.find_cid(identity);
    if (cid && outlines_.thought_at(*cid) != kNoNumber) return;
    const Result<Thought> thought = store_.get(identity);
    if (thought && thought::is_identity(*thought)) std::ignore = witnesses_.add(*thought);
  }

  // Sets checkpoint_ to the one of that CID; `does` says what it does to the thought at hand.
  Status load_checkpoint(std::uint32_t cid, std::string_view does) {
    const auto wrong = [&](std::string_view what) {
      return fail(ErrorCode::corrupt,
                  "the checkpoint that " + std::string(does) + " it is " + std::string(what));
    };
    const std::uint32_t here = outlines_.thought_at(cid);
    if (here != kNoNumber && entries_[here].is_refused) return wrong("invalid");
    if (checkpoint_ && checkpoint_->cid == outlines_.cid(cid)) return {};
    Result<Thought> found =
        here != kNoNumber ? Result<Thought>(to_thought(here)) : store_.get(outlines_.cid(cid));
    if (!found) return wrong("missing");
    checkpoint_ = *std::move(found);
    return {};
  }

  // As much of a checkpoint of the file as its tree needs; without content if it is malformed.
  Thought to_thought(std::uint32_t number) const {
    Thought thought{};
    thought.cid = outlines_.cid_of(number);
    thought.type = thought::kCheckpointType;
    thought.created_by = outlines_.cid(outlines_[number].created_by);
    const thought::Checkpoint* checkpoint = outlines_.find_checkpoint(number);
    if (checkpoint != nullptr) thought.content = to_content(*checkpoint);
    return thought;
  }

  Result<bool> is_there(std::uint32_t cid) const {
    if (find_valid(cid) != kNoNumber) return true;
    WEFT_TRY_VALUE(const bool is_forgotten, is_sealed_elsewhere(cid));
    return is_forgotten ? Result<bool>(true) : store_.has(outlines_.cid(cid));
  }

  // Forgotten or sealed where the file comes from, as a tombstone says that is in the file or was
  // imported before.
  Result<bool> is_sealed_elsewhere(std::uint32_t cid) const {
    if (is_forgotten_[cid]) return true;
    WEFT_TRY_VALUE(const auto tombstones, store_.forgetting().tombstones_of(outlines_.cid(cid)));
    return !tombstones.empty();
  }

  Status read_tombstones() {
    is_forgotten_.assign(outlines_.cids(), false);
    for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
      if (outlines_[i].kind != Outline::Kind::tombstone || entries_[i].is_refused) continue;
      WEFT_TRY_VALUE(const Thought thought, get(i));
      const Result<thought::Tombstone> tombstone = thought::to_tombstone(thought);
      if (!tombstone) continue;
      for (const std::vector<Cid>* list : {&tombstone->conversations, &tombstone->forgotten}) {
        for (const Cid& cid : *list) {
          // What nothing in the file refers to need not be remembered.
          if (const auto number = outlines_.find_cid(cid)) is_forgotten_[*number] = true;
        }
      }
    }
    return {};
  }

  // Each thought is refused at most once, together with those that depend on it, so a long chain
  // without a beginning costs its length.
  Status refuse_unfounded() {
    const Referrers referrers(outlines_);
    std::vector<std::uint32_t> fallen;
    const auto refuse_above = [&](std::uint32_t cid) {
      for (const std::uint32_t above : referrers.of(cid)) {
        if (entries_[above].is_refused) continue;
        refuse(above, "a thought that it depends on or connects is not in the file, or is invalid");
        fallen.push_back(outlines_[above].cid);
      }
    };
    for (std::uint32_t cid = 0; cid < outlines_.cids(); ++cid) {
      if (referrers.of(cid).empty()) continue;
      WEFT_TRY_VALUE(const bool is_founded, is_there(cid));
      if (!is_founded) refuse_above(cid);
    }
    while (!fallen.empty()) {
      const std::uint32_t cid = fallen.back();
      fallen.pop_back();
      WEFT_TRY_VALUE(const bool is_stored, store_.has(outlines_.cid(cid)));
      if (!is_stored) refuse_above(cid);
    }
    return {};
  }

  const store::Store& store_;
  const ThoughtsFile& file_;
  const crypto::Keyring* keyring_;
  const std::optional<Cid> replaced_;
  thought::Witnesses witnesses_;
  std::optional<Cid> owner_{};  // of the store
  Outlines outlines_;
  std::deque<Entry> entries_;
  KeptThoughts kept_;
  std::optional<Thought> checkpoint_;  // that signed or covered the last thought
  std::vector<bool> is_forgotten_;     // elsewhere; by number of the CID
  std::uint64_t identities_ = 0, refused_count_ = 0, unreadable_count_ = 0;
  std::vector<Refused> refused_, unreadable_;
  std::vector<IncompleteConversation> incomplete_;
};

}  // namespace weft::ingest
