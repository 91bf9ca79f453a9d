#include "weft/cli/share/run_push.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "weft/cli/app/confirm.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kShown = 20;

// What whoever administers the remote can read.
std::string readable(const crypto::Keyring* keyring) {
  const bool seals_all = keyring != nullptr && keyring->seal_mode() == crypto::SealMode::all;
  return seals_all
             ? "All text stays sealed. Whoever has access there sees when turns were made, by "
               "which models and tools,\nand how blocks are connected."
             : "Everything but reasoning can be read by whoever has access there: prompts, "
               "answers, calls and their results.";
}

void print_projects(const Context& context, const remote::PushPlan& plan) {
  std::map<std::string, std::uint64_t> projects;
  for (const remote::PushPlan::Send& send : plan.send) ++projects[send.named.project];
  Table table(
      {{.title = "project", .flexible = true}, {.title = "conversations", .align = Align::right}});
  for (const auto& [project, conversations] : projects) {
    table.add({project.empty() ? "-" : on_one_line(project), count(conversations)});
  }
  if (!projects.empty()) context.print(table.str(context.style()));
}

void print_held_back(const Context& context, const std::vector<remote::PushPlan::Held>& all) {
  for (const remote::PushPlan::Held& held : all) {
    context.print(fmt::format("{} {}: {}\n", context.style().paint(Colour::red, "held back"),
                              shown(held.named), fmt::join(held.rules, ", ")));
  }
  if (all.empty()) return;
  context.note(
      "secrets stand in these conversations: hide them (weft seal --secret FINGERPRINT), or send\n"
      "  the conversations as they are with --with-secrets");
}

Outcome<bool> is_agreed(const Context& context, const Opened& opened, const HomeRemote& remote,
                        const PushChoices& choices, const remote::PushPlan& plan) {
  if (remote.is_approved() || choices.yes) return true;
  const RemoteConfig& config = remote.config();
  const std::string what = fmt::format(
      "the first push to {} ({}) would send {} of the projects {}", config.name, config.url,
      count(plan.send.size(), "conversation"), fmt::join(config.projects, ", "));
  if (!can_ask(context)) {
    return refuse({ErrorCode::invalid_input, what + ", and there is no terminal to ask on"},
                  Exit::usage, "see what would go with --dry-run; --yes sends without asking");
  }
  context.print("T" + what.substr(1) + ":\n");
  print_projects(context, plan);
  context.print(readable(opened.keys()) + "\n");
  print_held_back(context, plan.held_back);
  return is_answered_yes(context, "Send them, and later what is new in these projects? [y/N] ");
}

json::array named_json(const std::vector<remote::Named>& all) {
  json::array array;
  for (const remote::Named& named : all) array.push_back(to_json(named));
  return array;
}

json::array held_json(const std::vector<remote::PushPlan::Held>& all) {
  json::array array;
  for (const remote::PushPlan::Held& held : all) {
    json::object object = to_json(held.named);
    object["rules"] = json::array(held.rules.begin(), held.rules.end());
    array.push_back(std::move(object));
  }
  return array;
}

void print_named(const Context& context, std::string_view what,
                 const std::vector<remote::Named>& all) {
  for (const remote::Named& named : all) {
    context.print(fmt::format("{} {}\n", context.style().paint(Colour::red, what), shown(named)));
  }
}

}  // namespace

json::object to_json(const remote::Named& named) {
  const auto text = [](const std::string& of) {
    return of.empty() ? json::value(nullptr) : json::value(of);
  };
  return {{"conversation_cid", named.conversation.str()},
          {"session_id", text(named.session_id)},
          {"project", text(named.project)},
          {"title", text(named.title)}};
}

std::string shown(const remote::Named& named) {
  constexpr std::size_t kColumns = 60;
  const std::string title = fitted(first_words(named.title), kColumns);
  return (named.project.empty() ? "" : on_one_line(named.project) + ": ") +
         (title.empty() ? "" : title + " ") + "(" + named.conversation.brief() + ")";
}

json::array to_json(const std::vector<remote::Refusal>& refused) {
  json::array array;
  for (const remote::Refusal& refusal : refused) {
    json::object object = to_json(refusal.named);
    object["where"] = refusal.where;
    object["reason"] = refusal.reason;
    array.push_back(std::move(object));
  }
  return array;
}

void print(const Context& context, const std::vector<remote::Refusal>& refused) {
  for (const remote::Refusal& refusal : refused) {
    context.print(fmt::format("{} {}\n  {}\n  {}\n", context.style().paint(Colour::red, "refused"),
                              shown(refusal.named), on_one_line(refusal.where),
                              on_one_line(refusal.reason)));
  }
}

bool Pushed::is_whole() const {
  const bool is_mended =
      std::ranges::all_of(differences, [](const remote::Difference& one) { return one.mended; });
  return plan.held_back.empty() && report.held_back.empty() && plan.pull_first.empty() &&
         plan.forgotten_there.empty() && report.refused.empty() && is_mended;
}

Outcome<std::optional<Pushed>> run_push(const Context& context, const Opened& opened,
                                        HomeRemote& remote, const PushChoices& choices) {
  const RemoteConfig& config = remote.config();
  if (config.projects.empty()) {
    return refuse({ErrorCode::invalid_input, "nothing may go to " + config.name +
                                                 " yet: its \"projects\" in config.json are empty"},
                  Exit::usage,
                  R"(name them, for example: "projects": ["weft*"], or ["*"] for everything)");
  }
  ProgressLine line(context.err());
  remote::PushOptions options{.projects = config.projects,
                              .with_secrets = choices.with_secrets,
                              .compares_all = choices.check,
                              .now = now()};
  options.progress = [&](std::uint64_t done, std::uint64_t all) {
    line.show(fmt::format("comparing: {} of {}", done, count(all, "conversation")));
  };
  Result<remote::PushPlan> plan =
      remote::plan_push(*opened.store, opened.keys(), remote.reader(), remote.state(), options);
  line.clear();
  if (!plan) return refuse(std::move(plan).error());
  Pushed pushed{.remote = config, .dry_run = choices.dry_run, .plan = *std::move(plan)};
  if (!choices.dry_run) {
    Outcome<bool> agreed = is_agreed(context, opened, remote, choices, pushed.plan);
    if (!agreed) return refuse(std::move(agreed));
    if (!*agreed) return std::optional<Pushed>();
  }
  std::unique_ptr<remote::Remote> writer = remote::no_remote_yet();
  if (!choices.dry_run) {
    auto opened_to_write = remote.open_to_write();
    if (!opened_to_write) return refuse(std::move(opened_to_write).error());
    writer = *std::move(opened_to_write);
    options.progress = [&](std::uint64_t done, std::uint64_t all) {
      line.show(fmt::format("sending: {} of {}", done, count(all, "conversation")));
    };
    Result<remote::PushReport> report =
        remote::push(*opened.store, opened.keys(), *writer, pushed.plan, remote.state(), options);
    line.clear();
    if (!report) return refuse(std::move(report).error());
    pushed.report = *std::move(report);
    if (Status saved = remote.save_state(); !saved) return refuse(std::move(saved).error());
  }
  if (choices.check && !pushed.plan.compare.empty()) {
    auto differences =
        choices.dry_run
            ? remote::compare_and_mend(*opened.store, remote.reader(), nullptr, pushed.plan.compare)
            : remote::compare_and_mend(*opened.store, *writer, writer.get(), pushed.plan.compare);
    if (!differences) return refuse(std::move(differences).error());
    pushed.differences = *std::move(differences);
  }
  return pushed;
}

json::object to_json(const Pushed& pushed) {
  json::array sent, differences, forgotten, waiting;
  if (pushed.dry_run) {
    for (const remote::PushPlan::Send& send : pushed.plan.send) sent.push_back(to_json(send.named));
    for (const remote::PushPlan::Forget& forget : pushed.plan.forget) {
      forgotten.emplace_back(forget.tip.conversation.str());
    }
  }
  for (const remote::PushReport::Done& done : pushed.report.sent) {
    json::object object = to_json(done.named);
    object["thoughts"] = done.sent.thoughts;
    object["bytes"] = done.sent.bytes;
    sent.push_back(std::move(object));
  }
  for (const Cid& cid : pushed.report.forgotten) forgotten.emplace_back(cid.str());
  for (const Cid& cid : pushed.report.waiting) waiting.emplace_back(cid.str());
  for (const remote::Difference& difference : pushed.differences) {
    json::object object = to_json(difference.named);
    object["where"] = difference.where;
    object["missing"] = difference.missing;
    object["mended"] = difference.mended;
    differences.push_back(std::move(object));
  }
  json::array held_back = held_json(pushed.plan.held_back);
  for (json::value& value : held_json(pushed.report.held_back))
    held_back.push_back(std::move(value));
  return {{"remote", pushed.remote.name},
          {"url", pushed.remote.url},
          {"dry_run", pushed.dry_run},
          {"sent", std::move(sent)},
          {"held_back", std::move(held_back)},
          {"pull_first", named_json(pushed.plan.pull_first)},
          {"forgotten_there", named_json(pushed.plan.forgotten_there)},
          {"refused", to_json(pushed.report.refused)},
          {"forgotten", std::move(forgotten)},
          {"waiting", std::move(waiting)},
          {"differences", std::move(differences)},
          {"equal", pushed.plan.equal},
          {"not_selected", pushed.plan.not_selected}};
}

void print(const Context& context, const Pushed& pushed) {
  std::uint64_t bytes = 0;
  for (const remote::PushReport::Done& done : pushed.report.sent) bytes += done.sent.bytes;
  const std::size_t sent = pushed.dry_run ? pushed.plan.send.size() : pushed.report.sent.size();
  context.print(fmt::format("{} {} {} ({}){}\n", pushed.dry_run ? "would send" : "sent",
                            count(sent, "conversation"), "to " + pushed.remote.name,
                            on_one_line(pushed.remote.url),
                            bytes > 0 ? ": " + byte_size(bytes) : ""));
  if (pushed.dry_run) print_projects(context, pushed.plan);
  for (std::size_t i = 0; i < std::min(kShown, pushed.report.sent.size()); ++i) {
    context.print("  " + shown(pushed.report.sent[i].named) + "\n");
  }
  if (pushed.report.sent.size() > kShown) {
    context.print(fmt::format("  … and {} more\n", pushed.report.sent.size() - kShown));
  }
  if (!pushed.report.forgotten.empty()) {
    context.print(fmt::format("removed there, because they were forgotten here: {}\n",
                              count(pushed.report.forgotten.size(), "conversation")));
  }
  if (!pushed.report.waiting.empty()) {
    context.print(fmt::format("waiting for the keeper to remove them there: {}\n",
                              count(pushed.report.waiting.size(), "conversation")));
  }
  for (const remote::Difference& difference : pushed.differences) {
    context.print(
        fmt::format("{} {}: {}\n  {}\n",
                    context.style().paint(Colour::red, difference.mended ? "mended" : "differs"),
                    shown(difference.named), count(difference.missing, "thought"),
                    on_one_line(difference.where)));
  }
  print_held_back(context, pushed.plan.held_back);
  print_held_back(context, pushed.report.held_back);
  print_named(context, "pull first:", pushed.plan.pull_first);
  if (!pushed.plan.pull_first.empty()) {
    context.note(pushed.remote.name + " has a state of these that is not here: weft pull " +
                 pushed.remote.name);
  }
  print_named(context, "forgotten there:", pushed.plan.forgotten_there);
  if (!pushed.plan.forgotten_there.empty()) {
    context.note("their creator forgot these on another machine: weft pull " + pushed.remote.name);
  }
  print(context, pushed.report.refused);
}

}  // namespace weft::cli
