#include "weft/remote/pull.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/ingest/forget.hpp"
#include "weft/ingest/import.hpp"
#include "weft/ingest/import_checks.hpp"
#include "weft/remote/describe.hpp"
#include "weft/remote/statements.hpp"
#include "weft/remote/updates.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::remote {
namespace {

// --- the plan ------------------------------------------------------------------------------------

Status plan_statements(const query::Library& library, const Remote& remote, PullPlan& plan) {
  WEFT_TRY_VALUE(const auto forgotten, remote.forgotten());
  for (const auto& [conversation, statement] : sort_statements(forgotten)) {
    const Result<store::ConversationRow> row = library.web.conversation(conversation);
    if (!row && row.error().code == ErrorCode::not_found) continue;
    if (!row) return fail(Error(row.error()));
    const Cid signer = statement->tombstone.created_by;
    plan.forget.push_back({.named = describe_conversation(library, *row).named,
                           .tombstone = statement->tombstone.cid,
                           .signer = signer,
                           .counts = signer == row->created_by});
  }
  return {};
}

bool is_to_be_forgotten(const PullPlan& plan, const Cid& conversation) {
  return std::ranges::any_of(plan.forget, [&](const PullPlan::Forget& forget) {
    return forget.counts && forget.named.conversation == conversation;
  });
}

// --- what a file says ----------------------------------------------------------------------------

// The chain of a conversation's checkpoints, as far as a file has it. Nothing of it is proven yet.
class FileChain {
 public:
  static Result<FileChain> read(const ingest::ThoughtsFile& file, const Head& head) {
    FileChain chain;
    WEFT_TRY(file.each_line([&](const ingest::ThoughtsFile::Line& line) {
      if (line.text.find(R"("type":"checkpoint")") == std::string_view::npos) return Status();
      const Result<thought::Thought> thought = ingest::parse_thought_line(line.text);
      if (!thought) return Status();
      const Result<thought::Checkpoint> checkpoint = thought::to_checkpoint(*thought);
      if (checkpoint && checkpoint->conversation == head.conversation) {
        chain.previous_[thought->cid] = checkpoint->previous;
      }
      return Status();
    }));
    return chain;
  }

  bool has(const Cid& checkpoint) const { return previous_.contains(checkpoint); }

  // Whether `later` comes after `earlier`.
  bool continues(const Cid& later, const Cid& earlier) const {
    std::size_t steps = 0;
    for (auto at = previous_.find(later); at != previous_.end() && steps <= previous_.size();
         at = at->second ? previous_.find(*at->second) : previous_.end()) {
      if (at->second == earlier) return true;
      ++steps;
    }
    return false;
  }

 private:
  std::map<Cid, std::optional<Cid>> previous_;
};

// Whether another conversation may still be taken after this error.
bool is_about_a_file(const Error& error) {
  return error.code == ErrorCode::invalid_input || error.code == ErrorCode::corrupt ||
         error.code == ErrorCode::conflict;
}

std::string first_reason(const ingest::ImportReport& report) {
  if (!report.refused.empty()) {
    const ingest::Refused& first = report.refused.front();
    return "line " + std::to_string(first.line) + ": " + first.reason;
  }
  return std::to_string(report.incomplete.front().missing) +
         " thoughts that its checkpoints cover are missing";
}

// --- the work ------------------------------------------------------------------------------------

class Puller {
 public:
  Puller(store::Store& store, const crypto::Keyring* keyring, const Remote& remote,
         const PullOptions& options)
      : store_(store), keyring_(keyring), remote_(remote), options_(options) {}

  // A conversation may rest on another one that is taken later: what was refused is tried again as
  // long as something else arrives, and at last all together.
  Status take(std::vector<Update> waiting) {
    all_ = waiting.size();
    while (!waiting.empty()) {
      std::vector<Update> refused;
      report_.refused.clear();
      for (const Update& update : waiting) WEFT_TRY(take_one(update, refused));
      const bool is_stuck = refused.size() == waiting.size();
      waiting = std::move(refused);
      if (is_stuck) return waiting.size() > 1 ? take_together(waiting) : Status();
    }
    return {};
  }

  Status forget(const std::vector<PullPlan::Forget>& all) {
    for (PullPlan::Forget forget : all) {
      const Result<store::ConversationRow> row = store_.conversation(forget.named.conversation);
      if (!row && row.error().code == ErrorCode::not_found) continue;  // it went with another one
      if (!row) return fail(Error(row.error()));
      forget.counts = forget.counts && keyring_ != nullptr && keyring_->can_sign();
      if (forget.counts) {
        WEFT_TRY(ingest::forget(store_, *keyring_, *row, options_.now, options_.index_sealed));
      }
      report_.forgotten.push_back(std::move(forget));
    }
    return {};
  }

  PullReport report() && { return std::move(report_); }

 private:
  Named named(const Cid& conversation) const {
    const Result<store::ConversationRow> row = store_.conversation(conversation);
    if (!row) return {.conversation = conversation};
    return describe_conversation({.web = store_, .keyring = keyring_}, *row).named;
  }

  void refuse(const Update& update, std::string reason) {
    report_.refused.push_back({.named = named(update.head.conversation),
                               .where = remote_.place_of(update.head),
                               .reason = std::move(reason)});
  }

  Status take_one(const Update& update, std::vector<Update>& refused) {
    if (options_.is_off && options_.is_off()) return fail(ErrorCode::unavailable, "stopped");
    WEFT_TRY_VALUE(const bool is_here, has_passed(store_, update.head));
    if (is_here) return {};  // it came with another one
    const Result<ingest::ThoughtsFile> file = remote_.read({update});
    // Another machine may have put a newer state in its place.
    if (!file && file.error().code == ErrorCode::not_found) return {};
    if (!file) {
      refuse(update, file.error().message);
      return {};
    }
    WEFT_TRY_VALUE(const FileChain chain, FileChain::read(*file, update.head));
    if (!chain.has(update.head.checkpoint)) {
      refuse(update, "it does not hold the state that its name says");
      return {};
    }
    if (update.since && !chain.continues(update.head.checkpoint, *update.since)) {
      report_.diverged.push_back({.named = named(update.head.conversation),
                                  .ours = *update.since,
                                  .theirs = update.head.checkpoint});
      return {};
    }
    WEFT_TRY_VALUE(const auto reason, import({update}, *file));
    if (reason) {
      refuse(update, *reason);
      refused.push_back(update);
    }
    return {};
  }

  Status take_together(const std::vector<Update>& all) {
    const Result<ingest::ThoughtsFile> file = remote_.read(all);
    if (!file) return {};  // each has its own reason in the report
    WEFT_TRY_VALUE(const auto reason, import(all, *file));
    if (!reason) report_.refused.clear();
    return {};
  }

  // Why the file is refused; empty if it was imported.
  Result<std::optional<std::string>> import(const std::vector<Update>& updates,
                                            const ingest::ThoughtsFile& file) {
    const auto imported = ingest::import_thoughts(store_, keyring_, file, options_.index_sealed,
                                                  ingest::Rest::is_refused);
    if (!imported && is_about_a_file(imported.error())) return imported.error().message;
    if (!imported) return fail(Error(imported.error()));
    if (imported->refused_count > 0 || !imported->incomplete.empty()) {
      return first_reason(*imported);
    }
    for (const Update& update : updates) {
      const bool is_first = &update == &updates.front();
      report_.taken.push_back({.named = named(update.head.conversation),
                               .new_thoughts = is_first ? imported->new_thoughts : 0});
    }
    if (options_.progress) options_.progress(report_.taken.size(), all_);
    return std::nullopt;
  }

  store::Store& store_;
  const crypto::Keyring* keyring_;
  const Remote& remote_;
  const PullOptions& options_;
  std::uint64_t all_ = 0;
  PullReport report_{};
};

}  // namespace

Result<PullPlan> plan_pull(const store::Store& store, const crypto::Keyring* keyring,
                           const Remote& remote) {
  PullPlan plan;
  const std::unique_ptr<store::Snapshot> web = store.snapshot();
  WEFT_TRY(plan_statements({.web = *web, .keyring = keyring}, remote, plan));
  WEFT_TRY_VALUE(const auto owner, store.owner());
  WEFT_TRY_VALUE(const auto rows, web->conversations({}));
  std::map<Cid, Cid> ours;
  for (const store::ConversationRow& row : rows) {
    if (const auto head = head_of(row)) ours.emplace(head->conversation, head->checkpoint);
  }
  WEFT_TRY_VALUE(const auto heads, remote.heads());
  for (const Head& head : heads) {
    const auto here = ours.find(head.conversation);
    if (here == ours.end()) {
      WEFT_TRY_VALUE(const bool is_forgotten,
                     ingest::was_forgotten_by(store, owner, head.conversation));
      if (is_forgotten) ++plan.forgotten_here;
      else plan.take.push_back({.head = head});
      continue;
    }
    bool is_known = here->second == head.checkpoint;
    if (!is_known) {
      WEFT_TRY_VALUE(is_known, has_passed(*web, head));
    }
    if (is_known) ++plan.equal;
    else if (!is_to_be_forgotten(plan, head.conversation)) {
      plan.take.push_back({.head = head, .since = here->second});
    }
  }
  return plan;
}

Result<PullReport> pull(store::Store& store, const crypto::Keyring* keyring, const Remote& remote,
                        const PullPlan& plan, const PullOptions& options) {
  Puller puller(store, keyring, remote, options);
  WEFT_TRY(puller.forget(plan.forget));
  WEFT_TRY(puller.take(plan.take));
  return std::move(puller).report();
}

}  // namespace weft::remote
