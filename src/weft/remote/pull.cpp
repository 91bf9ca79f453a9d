#include "weft/remote/pull.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/ingest/forget.hpp"
#include "weft/ingest/import.hpp"
#include "weft/ingest/import_checks.hpp"
#include "weft/remote/describe.hpp"
#include "weft/remote/join/chain_joiner.hpp"
#include "weft/remote/join/joined_side.hpp"
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

// --- the work ------------------------------------------------------------------------------------

constexpr int kMaxJoins = 4;  // while another process adds to the same conversation

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
    report_.refused.push_back({.named = named(update.tip.conversation),
                               .where = remote_.place_of(update.tip),
                               .reason = std::move(reason)});
  }

  Status take_one(const Update& update, std::vector<Update>& refused) {
    if (options_.is_off && options_.is_off()) return fail(ErrorCode::unavailable, "stopped");
    WEFT_TRY_VALUE(const bool is_here, has_passed(store_, update.tip));
    if (is_here) return {};  // it came with another one
    const Result<ingest::ThoughtsFile> file = remote_.read({update});
    // Another machine may have put a newer state in its place.
    if (!file && file.error().code == ErrorCode::not_found) return {};
    if (!file) {
      refuse(update, file.error().message);
      return {};
    }
    WEFT_TRY_VALUE(const FileChain chain, FileChain::read(*file, update.tip.conversation));
    if (!chain.has(update.tip.checkpoint)) {
      refuse(update, "it does not hold the state that its name says");
      return {};
    }
    if (update.since && !chain.continues(update.tip.checkpoint, *update.since)) {
      WEFT_TRY_VALUE(const auto why, join(update));
      if (why) refuse(update, *why);
      return {};
    }
    WEFT_TRY_VALUE(const auto reason, import({update}, *file));
    if (reason) {
      refuse(update, *reason);
      refused.push_back(update);
    }
    return {};
  }

  // Two chains of one conversation. Why they stay two; empty if they do not, or if only its creator
  // can join them.
  Result<std::optional<std::string>> join(const Update& update) {
    Error last{ErrorCode::conflict, "other writers keep changing this conversation; try again"};
    for (int tries = 0; tries < kMaxJoins; ++tries) {
      ChainJoiner joiner(store_, keyring_, remote_, options_);
      Result<ChainJoiner::Outcome> outcome = joiner.join(update.tip);
      if (!outcome && outcome.error().code == ErrorCode::conflict) {
        last = std::move(outcome).error();
        continue;
      }
      if (!outcome && is_about_a_file(outcome.error())) return outcome.error().message;
      if (!outcome) return fail(std::move(outcome).error());
      if (outcome->diverged) report_.diverged.push_back(*std::move(outcome->diverged));
      if (outcome->joined) report_.joined.push_back(*std::move(outcome->joined));
      if (outcome->report && !is_whole(*outcome->report)) return first_reason(*outcome->report);
      if (outcome->report) note_taken({update}, *outcome->report);
      return std::nullopt;
    }
    return last.message;
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
    if (!is_whole(*imported)) return first_reason(*imported);
    note_taken(updates, *imported);
    return std::nullopt;
  }

  void note_taken(const std::vector<Update>& updates, const ingest::ImportReport& imported) {
    for (const Update& update : updates) {
      const bool is_first = &update == &updates.front();
      report_.taken.push_back({.named = named(update.tip.conversation),
                               .new_thoughts = is_first ? imported.new_thoughts : 0});
    }
    if (options_.progress) options_.progress(report_.taken.size(), all_);
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
    if (const auto tip = tip_of(row)) ours.emplace(tip->conversation, tip->checkpoint);
  }
  WEFT_TRY_VALUE(const auto tips, remote.tips());
  for (const Tip& tip : tips) {
    const auto here = ours.find(tip.conversation);
    if (here == ours.end()) {
      WEFT_TRY_VALUE(const bool is_forgotten,
                     ingest::was_forgotten_by(store, owner, tip.conversation));
      if (is_forgotten) ++plan.forgotten_here;
      else plan.take.push_back({.tip = tip});
      continue;
    }
    bool is_known = here->second == tip.checkpoint;
    if (!is_known) {
      WEFT_TRY_VALUE(is_known, has_passed(*web, tip));
    }
    if (is_known) ++plan.equal;
    else if (!is_to_be_forgotten(plan, tip.conversation)) {
      plan.take.push_back({.tip = tip, .since = here->second});
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
