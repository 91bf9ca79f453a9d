// weft seal: hides the text of thoughts that were woven in the clear.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/confirm.hpp"
#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/hand/not_reached.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/ingest/seal/seal_thoughts.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/secrets/find_secret.hpp"
#include "weft/query/secrets/secret_mask.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> thoughts;
  std::string secret;
  bool yes = false, dry_run = false;
};

// What is about to be sealed; looked up while it is still in the clear.
struct Preview {
  ingest::SealPlan plan{};
  std::vector<std::string> titles{};  // of plan.conversations; secrets masked
  std::vector<SourceFile> files{};
};

Outcome<std::vector<Cid>> thoughts_named(const Context& context, const query::Library& library,
                                         const Options& options) {
  std::vector<Cid> thoughts;
  for (const std::string& text : options.thoughts) {
    // One that was sealed is not found by its first digits.
    const Result<Cid> whole = Cid::parse(text);
    Outcome<Cid> cid = whole ? Outcome<Cid>(*whole) : thought_called(library, text);
    if (!cid) return refuse(std::move(cid));
    thoughts.push_back(*cid);
  }
  if (options.secret.empty()) return thoughts;
  ProgressLine line(context.err());
  const query::QueryControl control{.progress = [&](std::uint64_t done, std::uint64_t all) {
    line.show(fmt::format("looking for the secret: {} of {}", done, count(all, "conversation")));
  }};
  Result<query::SecretThoughts> found = query::find_secret(library, options.secret, control);
  line.clear();
  if (!found) return refuse(std::move(found).error());
  thoughts.insert(thoughts.end(), found->thoughts.begin(), found->thoughts.end());
  return thoughts;
}

Result<Preview> look_up(const Opened& opened, const std::vector<Cid>& thoughts) {
  WEFT_TRY_VALUE(auto plan, ingest::plan_seal(*opened.store, *opened.keyring, thoughts));
  Preview preview{.plan = std::move(plan)};
  const query::SecretMask mask(&*opened.keyring);
  std::vector<store::SourceKey> seen;
  for (const Cid& conversation : preview.plan.conversations) {
    WEFT_TRY_VALUE(const auto row, opened.store->conversation(conversation));
    const json::object described = query::describe(opened.library(), row);
    preview.titles.push_back(
        first_words(mask.masked(find_string(described, "title").value_or(row.session_id))));
    WEFT_TRY_VALUE(const auto sources, opened.store->sources().of(conversation));
    for (const store::Source& source : sources) {
      if (std::ranges::find(seen, source.key) != seen.end()) continue;
      seen.push_back(source.key);
      preview.files.push_back(file_of(*opened.keyring, source));
    }
  }
  return preview;
}

void print_preview(const Context& context, const Preview& preview) {
  Table table({{.colour = Colour::cyan}, {}, {.align = Align::right}, {.flexible = true}});
  for (const ingest::SealPlan::Item& item : preview.plan.items) {
    const auto first = std::ranges::find(preview.plan.conversations, item.conversations.front());
    const auto at = static_cast<std::size_t>(first - preview.plan.conversations.begin());
    table.add({"  " + item.clear.cid.brief(), std::string(thought::kind_of(item.clear.type)),
               count(item.conversations.size(), "conversation"), preview.titles[at]});
  }
  context.print(table.str(context.style()));
}

void print_left(const Context& context, const std::vector<ingest::SealPlan::Left>& left) {
  for (const auto& [cid, reason] : left) {
    context.print(fmt::format("  not sealed: {}: {}\n", cid.brief(), reason));
  }
}

json::object to_json(const Preview& preview, const ingest::SealReport* report) {
  const ingest::SealPlan& plan = report != nullptr ? report->plan : preview.plan;
  json::array sealed, already, left, files;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    const ingest::SealPlan::Item& item = plan.items[i];
    json::array conversations;
    for (const Cid& conversation : item.conversations)
      conversations.emplace_back(conversation.str());
    json::object entry{{"cid", item.clear.cid.str()},
                       {"type", item.clear.type},
                       {"conversations", std::move(conversations)}};
    if (report != nullptr) entry["sealed_as"] = report->sealed[i].str();
    sealed.push_back(std::move(entry));
  }
  for (const Cid& cid : plan.already) already.emplace_back(cid.str());
  for (const auto& [cid, reason] : plan.left) {
    left.push_back({{"cid", cid.str()}, {"reason", reason}});
  }
  for (const SourceFile& file : preview.files) {
    files.push_back({{"path", file.path}, {"exists", file.exists}});
  }
  json::object answer{{report != nullptr ? "sealed" : "to_seal", std::move(sealed)},
                      {"already", std::move(already)},
                      {"left", std::move(left)},
                      {"files", std::move(files)},
                      {"not_reached", json::array(kNotReached.begin(), kNotReached.end())}};
  if (report == nullptr) return answer;
  answer["tombstone"] =
      report->sealed.empty() ? json::value(nullptr) : json::value(report->tombstone.str());
  answer["repacked"] = report->repacked;
  answer["wiped"] = report->is_wiped;
  return answer;
}

void print_report(const Context& context, const Preview& preview,
                  const ingest::SealReport& report) {
  context.print(fmt::format("sealed {}; tombstone {}\n", count(report.sealed.size(), "thought"),
                            report.tombstone.brief()));
  for (std::size_t i = 0; i < report.sealed.size(); ++i) {
    const Cid& clear = report.plan.items[i].clear.cid;
    context.print(fmt::format("  {} is {} now\n", clear.brief(), report.sealed[i].brief()));
  }
  if (report.repacked > 0) {
    context.print(
        fmt::format("  {} of archived files repacked\n", count(report.repacked, "piece")));
  }
  print_left(context, report.plan.left);
  print_not_reached(context, preview.files);
  if (!report.is_wiped) {
    context.note(
        "sealed, but traces of the clear text remain in the store's files because another process "
        "is reading an older state; the next ingest scrubs them");
  }
}

// Asks the person on the terminal; a script passes --yes.
Outcome<bool> is_confirmed(const Context& context, const Options& options, const Preview& preview) {
  if (options.yes) return true;
  if (!can_ask(context)) {
    return refuse({ErrorCode::denied,
                   "nothing was sealed: there is no terminal to ask for confirmation on; pass "
                   "--yes to seal without confirmation"},
                  Exit::no);
  }
  context.print("The following will be sealed, and the clear text removed:\n");
  print_preview(context, preview);
  print_left(context, preview.plan.left);
  print_not_reached(context, preview.files);
  return is_answered_yes(context, "Seal it? [y/N] ");
}

// Nothing stands in the clear: it was sealed before, or cannot be sealed.
Answer nothing_to_seal(const Context& context, const Preview& preview) {
  if (context.json()) {
    const ingest::SealReport report{.plan = preview.plan};
    context.print_json(to_json(preview, &report));
  } else {
    if (!preview.plan.already.empty()) {
      context.print(
          fmt::format("{} sealed already\n", count(preview.plan.already.size(), "thought")));
    }
    print_left(context, preview.plan.left);
  }
  return preview.plan.left.empty() ? Exit::done : Exit::no;
}

Answer seal(const Context& context, const Options& options) {
  if (options.thoughts.empty() == options.secret.empty()) {
    return refuse({ErrorCode::invalid_input, "name thoughts by CID, or one secret with --secret"},
                  Exit::usage, "weft secrets lists both");
  }
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Outcome<Opened> opened = context.open_to_change();
  if (!opened) return refuse(std::move(opened));
  if (!opened->keyring || !opened->keyring->can_sign()) {
    return refuse(
        {ErrorCode::denied, "cannot sign the sealed thoughts: no keyring that can sign was found"},
        "name the owner's keyring with --keys FILE");
  }
  if (Status fits = check_owner(*opened->store, context.home(), *opened->keyring); !fits) {
    return refuse(std::move(fits).error());
  }
  Outcome<std::vector<Cid>> thoughts = thoughts_named(context, opened->library(), options);
  if (!thoughts) return refuse(std::move(thoughts));
  Result<Preview> preview = look_up(*opened, *thoughts);
  if (!preview) return refuse(std::move(preview).error());
  if (preview->plan.items.empty()) return nothing_to_seal(context, *preview);
  if (options.dry_run) {
    if (context.json()) {
      context.print_json(to_json(*preview, nullptr));
    } else {
      print_preview(context, *preview);
      print_left(context, preview->plan.left);
      print_not_reached(context, preview->files);
    }
    return Exit::done;
  }
  Outcome<bool> confirmed = is_confirmed(context, options, *preview);
  if (!confirmed) return refuse(std::move(confirmed));
  if (!*confirmed) {
    context.note("nothing was sealed");
    return Exit::no;
  }
  Result<ingest::SealReport> report = ingest::seal_thoughts(*opened->store, *opened->keyring,
                                                            *thoughts, now(), config->index_sealed);
  if (!report) return refuse(std::move(report).error());
  if (context.json()) {
    context.print_json(to_json(*preview, &*report));
  } else {
    print_report(context, *preview, *report);
  }
  return report->plan.left.empty() ? Exit::done : Exit::no;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->thoughts, "Thoughts to seal: CIDs, or their first 8 digits");
  arguments.add("--secret", options->secret,
                "Seal every thought in which this secret stands; weft secrets prints the digits",
                {.value = "FINGERPRINT"});
  arguments.flag("--dry-run", options->dry_run, "Show what would be sealed, and change nothing");
  arguments.flag("--yes", options->yes,
                 "Do not ask for confirmation; required without a terminal and with --json");
  return [options](Context& context) { return seal(context, *options); };
}

}  // namespace

const Command& seal_command() {
  static const Command command = {
      .name = "seal",
      .group = Group::run_ingest,
      .summary = "hide the text of thoughts that stand in the clear, and keep the conversation",
      .about =
          "Replaces thoughts by sealed ones: the same type, author, time and causes, with the "
          "text\n"
          "under your keys. The clear thoughts, what the search index and other tables say of "
          "them,\n"
          "and what the archive needs of them are removed or repacked; then the store is "
          "rewritten\n"
          "so that no trace stays in the file. Everything still checks, weft restore still gives\n"
          "every byte, and with your keyring you read the text as before; without it nobody does.\n"
          "A signed tombstone says which thought stands for which. What is read again, such as a\n"
          "fork of the conversation, is woven sealed.\n"
          "\n"
          "On a terminal, weft shows what will be sealed and asks; without one, and with --json,\n"
          "nothing is sealed unless --yes is given. The tool's own files, session logs, exports,\n"
          "backups, remotes and other machines are not reached. A secret that stood in them is\n"
          "known: replace it where it was made.",
      .examples =
          "weft secrets\n"
          "weft seal --secret 3f2a --dry-run\n"
          "weft seal --secret 3f2a --yes\n"
          "weft seal 9a3be1c2 --yes --json | jq .sealed",
      .see_also = "weft secrets, weft forget, weft verify",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
