#include "weft/cli/share/run_pull.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/share/run_push.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kTakenShown = 20;

json::array forgotten_json(const std::vector<remote::PullPlan::Forget>& all) {
  json::array array;
  for (const remote::PullPlan::Forget& forget : all) {
    json::object object = to_json(forget.named);
    object["tombstone"] = forget.tombstone.str();
    object["signed_by"] = forget.signer.str();
    object["carried_out"] = forget.counts;
    array.push_back(std::move(object));
  }
  return array;
}

void print_forgotten(const Context& context, const std::vector<remote::PullPlan::Forget>& all,
                     bool dry_run) {
  for (const remote::PullPlan::Forget& forget : all) {
    const std::string_view what = !forget.counts ? "not forgotten"
                                  : dry_run      ? "would forget"
                                                 : "forgot";
    context.print(fmt::format("{} {}: {}\n", what, shown(forget.named),
                              forget.counts ? "its creator forgot it on another machine"
                                            : "who forgot it there did not create it"));
  }
}

}  // namespace

bool Pulled::is_whole() const { return report.refused.empty() && report.diverged.empty(); }

Outcome<Pulled> run_pull(const Context& context, const Opened& opened, const Config& config,
                         const HomeRemote& remote, bool dry_run) {
  Result<remote::PullPlan> plan = remote::plan_pull(*opened.store, opened.keys(), remote.reader());
  if (!plan) return refuse(std::move(plan).error());
  Pulled pulled{.remote = remote.config(), .dry_run = dry_run, .plan = *std::move(plan)};
  if (dry_run) return pulled;
  ProgressLine line(context.err());
  const remote::PullOptions options{
      .index_sealed = config.index_sealed,
      .scratch = remote.scratch(),
      .now = now(),
      .progress = [&](std::uint64_t done, std::uint64_t all) {
        line.show(fmt::format("taking: {} of {}", done, count(all, "conversation")));
      }};
  Result<remote::PullReport> report =
      remote::pull(*opened.store, opened.keys(), remote.reader(), pulled.plan, options);
  line.clear();
  if (!report) return refuse(std::move(report).error());
  pulled.report = *std::move(report);
  return pulled;
}

json::object to_json(const Pulled& pulled) {
  json::array taken, joined, diverged;
  if (pulled.dry_run) {
    for (const remote::Update& update : pulled.plan.take) {
      taken.push_back(to_json(remote::Named{.conversation = update.tip.conversation}));
    }
  }
  for (const remote::PullReport::Done& done : pulled.report.taken) {
    json::object object = to_json(done.named);
    object["new_thoughts"] = done.new_thoughts;
    taken.push_back(std::move(object));
  }
  for (const remote::PullReport::Joining& one : pulled.report.joined) {
    json::object object = to_json(one.named);
    object["kept"] = one.kept.str();
    object["given_up"] = one.given_up.str();
    object["was_given_up_here"] = !one.is_ours_kept;
    object["brought_blocks"] = one.brought;
    joined.push_back(std::move(object));
  }
  for (const remote::PullReport::Diverged& one : pulled.report.diverged) {
    json::object object = to_json(one.named);
    object["ours"] = one.ours.str();
    object["theirs"] = one.theirs.str();
    diverged.push_back(std::move(object));
  }
  return {
      {"remote", pulled.remote.name},
      {"url", pulled.remote.url},
      {"dry_run", pulled.dry_run},
      {"taken", std::move(taken)},
      {"refused", to_json(pulled.report.refused)},
      {"joined", std::move(joined)},
      {"diverged", std::move(diverged)},
      {"forgotten", forgotten_json(pulled.dry_run ? pulled.plan.forget : pulled.report.forgotten)},
      {"equal", pulled.plan.equal},
      {"forgotten_here", pulled.plan.forgotten_here}};
}

void print(const Context& context, const Pulled& pulled) {
  const std::size_t taken = pulled.dry_run ? pulled.plan.take.size() : pulled.report.taken.size();
  std::uint64_t thoughts = 0;
  for (const remote::PullReport::Done& done : pulled.report.taken) thoughts += done.new_thoughts;
  context.print(fmt::format("{} {} from {} ({}){}\n", pulled.dry_run ? "would take" : "took",
                            count(taken, "conversation"), pulled.remote.name,
                            on_one_line(pulled.remote.url),
                            thoughts > 0 ? ": " + count(thoughts, "thought") + " new" : ""));
  for (std::size_t i = 0; i < std::min(kTakenShown, pulled.report.taken.size()); ++i) {
    context.print("  " + shown(pulled.report.taken[i].named) + "\n");
  }
  if (pulled.report.taken.size() > kTakenShown) {
    context.print(fmt::format("  … and {} more\n", pulled.report.taken.size() - kTakenShown));
  }
  if (pulled.plan.forgotten_here > 0) {
    context.print(fmt::format("left there, because they were forgotten here: {}\n",
                              count(pulled.plan.forgotten_here, "conversation")));
  }
  print_forgotten(context, pulled.dry_run ? pulled.plan.forget : pulled.report.forgotten,
                  pulled.dry_run);
  for (const remote::PullReport::Joining& one : pulled.report.joined) {
    context.print(fmt::format(
        "joined {}: another machine wove it too; {} chain was given up{}\n", shown(one.named),
        one.is_ours_kept ? "its" : "this machine's",
        one.brought > 0 ? ", and " + count(one.brought, "block") + " of it brought over" : ""));
  }
  for (const remote::PullReport::Diverged& one : pulled.report.diverged) {
    context.print(fmt::format("{} {}: here {}, there {}\n",
                              context.style().paint(Colour::red, "diverged"), shown(one.named),
                              one.ours.brief(), one.theirs.brief()));
  }
  if (!pulled.report.diverged.empty()) {
    context.note(
        "two machines of their creator wove these sessions, each on its own; they are taken once "
        "one of\n"
        "  those machines has pulled and pushed: docs/sharing.md");
  }
  print(context, pulled.report.refused);
  if (!pulled.report.refused.empty()) {
    context.note(
        "nothing of a refused conversation was taken; where the file was damaged, weft push "
        "--check "
        "on the machine that has the conversation writes it again");
  }
}

}  // namespace weft::cli
