#include "weft/remote/push.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/remote/describe.hpp"
#include "weft/remote/updates.hpp"

namespace weft::remote {
namespace {

// Whether another conversation, or another file, may still be sent after this error.
bool is_about_thoughts(const Error& error) {
  return error.code == ErrorCode::invalid_input || error.code == ErrorCode::corrupt ||
         error.code == ErrorCode::not_found;
}

class Pusher {
 public:
  Pusher(const store::Store& store, const crypto::Keyring* keyring, Remote& remote,
         const PushOptions& options)
      : store_(store), keyring_(keyring), remote_(remote), options_(options) {}

  // A conversation may rest on another one that is sent later: what was refused is tried again as
  // long as something else arrives, and at last all together.
  Status send(std::vector<PushPlan::Send> waiting) {
    all_ = waiting.size();
    while (!waiting.empty()) {
      std::vector<PushPlan::Send> refused;
      report_.refused.clear();
      for (PushPlan::Send& one : waiting) WEFT_TRY(send_one(one, refused));
      const bool is_stuck = refused.size() == waiting.size();
      waiting = std::move(refused);
      if (!is_stuck) continue;
      return waiting.size() > 1 ? send_together(waiting) : Status();
    }
    return {};
  }

  Status forget(const std::vector<PushPlan::Forget>& all) {
    for (const PushPlan::Forget& one : all) {
      WEFT_TRY_VALUE(const Removal removal, remote_.forget(one.tip, one.statement, options_.now));
      (removal == Removal::done ? report_.forgotten : report_.waiting)
          .push_back(one.tip.conversation);
    }
    return {};
  }

  PushReport report() && { return std::move(report_); }

 private:
  Status send_one(const PushPlan::Send& one, std::vector<PushPlan::Send>& refused) {
    if (options_.is_off && options_.is_off()) return fail(ErrorCode::unavailable, "stopped");
    const std::unique_ptr<store::Snapshot> web = store_.snapshot();
    WEFT_TRY_VALUE(const auto tip, find_tip(*web, one.named.conversation));
    if (!tip) return {};  // it was forgotten meanwhile
    // What came since the plan may hold a secret.
    if (*tip != one.update.tip && !options_.with_secrets) {
      WEFT_TRY_VALUE(const auto secrets, find_clear_secrets({.web = *web, .keyring = keyring_},
                                                            std::span(&one.named.conversation, 1)));
      if (!secrets.empty()) {
        report_.held_back.push_back({.named = one.named, .rules = secrets.begin()->second});
        return {};
      }
    }
    Result<Sent> sent = remote_.write(*web, {{.tip = *tip, .since = one.update.since}});
    if (sent) {
      report_.sent.push_back({.named = one.named, .sent = *sent});
      if (options_.progress) options_.progress(report_.sent.size(), all_);
      return {};
    }
    if (!is_about_thoughts(sent.error())) return fail(std::move(sent).error());
    refused.push_back(one);
    report_.refused.push_back({.named = one.named,
                               .where = remote_.place_of(*tip),
                               .reason = std::move(sent).error().message});
    return {};
  }

  Status send_together(const std::vector<PushPlan::Send>& all) {
    const std::unique_ptr<store::Snapshot> web = store_.snapshot();
    std::vector<Update> updates;
    for (const PushPlan::Send& one : all) {
      WEFT_TRY_VALUE(const auto tip, find_tip(*web, one.named.conversation));
      if (tip != one.update.tip) return {};  // the next push begins anew
      updates.push_back(one.update);
    }
    const Result<Sent> sent = remote_.write(*web, updates);
    if (!sent) return {};  // each has its own reason in the report
    report_.refused.clear();
    for (const PushPlan::Send& one : all) report_.sent.push_back({.named = one.named});
    report_.sent.back().sent = *sent;
    return {};
  }

  const store::Store& store_;
  const crypto::Keyring* keyring_;
  Remote& remote_;
  const PushOptions& options_;
  std::uint64_t all_ = 0;
  PushReport report_{};
};

}  // namespace

Result<PushReport> push(const store::Store& store, const crypto::Keyring* keyring, Remote& remote,
                        const PushPlan& plan, RemoteState& state, const PushOptions& options) {
  Pusher pusher(store, keyring, remote, options);
  WEFT_TRY(pusher.forget(plan.forget));
  WEFT_TRY(pusher.send(plan.send));
  PushReport report = std::move(pusher).report();
  state.pushed = plan.mark;
  state.pushed_projects = options.projects;
  state.pending.clear();
  const auto keep = [&](const Named& named) { state.pending.push_back(named.conversation); };
  for (const PushPlan::Held& held : plan.held_back) keep(held.named);
  for (const PushPlan::Held& held : report.held_back) keep(held.named);
  for (const Refusal& refusal : report.refused) keep(refusal.named);
  std::ranges::for_each(plan.pull_first, keep);
  std::ranges::for_each(plan.forgotten_there, keep);
  std::ranges::sort(state.pending);
  if (!report.sent.empty()) state.witness = report.sent.back().named.conversation;
  return report;
}

}  // namespace weft::remote
