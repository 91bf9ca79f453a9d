// weft repair: brings back damaged thoughts, rebuilds what is derived, and drops a wrong key.
#include "weft/cli/upkeep/repair.hpp"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <thread>

#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/confirm.hpp"
#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/upkeep/store_lock.hpp"
#include "weft/ingest/drop_key.hpp"
#include "weft/store/backup.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownRows = 50;

struct Options {
  bool dry_run = false, yes = false;
  std::optional<std::string> drop_key;
};

// A folder beside the store for temporary stores, mode 0700. What a killed repair left there is
// removed; the lock keeps others out.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make(const store::StoreUrl& url) {
    const fs::path path = url.file(".repair");
    std::error_code failed;
    fs::remove_all(path, failed);
    if (!failed) fs::create_directory(path, failed);
    if (!failed) fs::permissions(path, fs::perms::owner_all, failed);
    if (failed) {
      return fail(ErrorCode::unavailable,
                  fmt::format("cannot make the folder {}: {}", path.string(), failed.message()));
    }
    return ScratchFolder(path);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  explicit ScratchFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// The store, or for a dry run a copy of it, which is changed instead.
Outcome<Opened> open(const Context& context, const Options& options, const fs::path& scratch) {
  if (!options.dry_run) return context.open_to_change();
  Outcome<std::optional<crypto::Keyring>> keyring = context.find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  const fs::path copy = scratch / "copy.db";
  std::ofstream(copy).close();
  if (Status copied = store::copy_store(context.home().store, copy.string(), {}); !copied) {
    return refuse(std::move(copied).error());
  }
  Result<std::unique_ptr<store::Store>> store = store::open_store(copy.string(), store::Create::no);
  if (!store) return refuse(std::move(store).error());
  return Opened{.store = *std::move(store), .keyring = *std::move(keyring)};
}

void print_plan(const Context& context, const store::DropPlan& plan, std::string_view happens) {
  context.print(fmt::format("{}, signed by {} and {} that it speaks for:\n", happens,
                            plan.identity.brief(), count(plan.spoken_for.size(), "author")));
  for (const auto& conversation : plan.conversations) {
    context.print(fmt::format("  conversation  {}  {}\n", conversation.cid.brief(),
                              count(conversation.thoughts, "thought")));
  }
  for (const auto& elsewhere : plan.elsewhere) {
    context.print(fmt::format("  {} in conversation {}, which stays\n",
                              count(elsewhere.thoughts, "thought"),
                              elsewhere.conversation.brief()));
  }
  context.print(fmt::format("  {} in all, and what was kept of {}\n",
                            count(plan.thoughts, "thought"), count(plan.sources, "file")));
}

// What will be dropped, once the person agreed to it.
Outcome<Cid> confirm_drop(const Context& context, const Options& options, const Opened& opened) {
  Result<Cid> identity = ingest::find_identity(*opened.store, *options.drop_key);
  if (!identity) {
    const bool is_usage = identity.error().code == ErrorCode::invalid_input;
    return refuse(std::move(identity).error(), is_usage ? Exit::usage : Exit::no,
                  "weft verify names foreign keys");
  }
  const Result<store::DropPlan> plan = ingest::plan_drop(*opened.store, *opened.keyring, *identity);
  if (!plan) return refuse(Error(plan.error()));
  if (options.yes || options.dry_run) return *identity;
  if (!can_ask(context)) {
    return refuse({ErrorCode::denied,
                   "nothing was dropped: there is no terminal to ask for confirmation on; pass "
                   "--yes to drop without confirmation"},
                  Exit::no, "weft repair --drop-key ID --dry-run shows what would go");
  }
  print_plan(context, *plan, "The following will be removed, and cannot be restored");
  if (is_answered_yes(context, "Drop it? [y/N] ")) return *identity;
  return refuse({ErrorCode::denied, "nothing was dropped"}, Exit::no);
}

json::object to_json(const ingest::DropReport& report) {
  json::array conversations, elsewhere, spoken_for;
  for (const auto& conversation : report.plan.conversations) {
    conversations.push_back(json::object{{"conversation_cid", conversation.cid.str()},
                                         {"thoughts", conversation.thoughts}});
  }
  for (const auto& other : report.plan.elsewhere) {
    elsewhere.push_back(
        json::object{{"conversation_cid", other.conversation.str()}, {"thoughts", other.thoughts}});
  }
  for (const Cid& cid : report.plan.spoken_for) spoken_for.emplace_back(cid.str());
  json::object answer{
      {"identity", report.plan.identity.str()},    {"identities", std::move(spoken_for)},
      {"conversations", std::move(conversations)}, {"elsewhere", std::move(elsewhere)},
      {"thoughts", report.plan.thoughts},          {"sources", report.plan.sources}};
  if (report.tombstone) answer["tombstone"] = report.tombstone->str();
  return answer;
}

void print_report(const Context& context, const RepairReport& report, bool is_dry) {
  const std::string_view was = is_dry ? "would be " : "";
  std::size_t shown = 0;
  for (const store::MendedRow& row : report.repaired) {
    if (++shown > kShownRows) break;
    context.print(fmt::format("  {}repaired  {}  {}: {}\n", was,
                              row.cid ? row.cid->brief() : std::string(12, '-'), row.table,
                              on_one_line(row.how)));
  }
  for (const auto& [table, rows] : report.rebuilt) {
    context.print(fmt::format("  {}rebuilt   {}: {}\n", was, table, count(rows, "finding")));
  }
  shown = 0;
  for (const store::LostRow& row : report.lost) {
    if (++shown > kShownRows) break;
    std::string what = row.type.empty() ? row.table : on_one_line(row.type);
    if (row.created_at) what += " of " + local_date_time(*row.created_at);
    if (!row.conversations.empty()) what += " in conversation " + row.conversations.front().brief();
    context.print(fmt::format("  lost      {}  {}: {}\n",
                              row.cid ? row.cid->brief() : std::string(12, '-'), what,
                              on_one_line(row.reason)));
  }
  if (report.repaired.size() > kShownRows || report.lost.size() > kShownRows) {
    context.print("  … and more (--json lists them all)\n");
  }
  const std::string verdict(find_string(report.verified, "verdict").value_or("bad"));
  context.print(
      fmt::format("{}: {} repaired, {} rebuilt, {} lost\n",
                  context.style().paint(report.is_sound() ? Colour::green : Colour::red, verdict),
                  count(report.repaired.size(), "row"), count(report.rebuilt.size(), "table"),
                  count(report.lost.size())));
  if (const auto head = find_string(report.verified, "head")) {
    context.print(fmt::format("head {}\n", *head));
  }
  if (!report.lost.empty()) {
    context.print(
        "What is lost can be taken from a backup: weft restore-home FILE --home DIR, then\n"
        "weft export CONV --home DIR and weft import. Everything else is still readable.\n");
  }
  if (report.lost.empty() && !report.is_sound()) {
    context.print("weft verify names what is still wrong.\n");
  }
  if (is_dry) {
    context.print(
        "Nothing was changed. Make a backup first (weft backup FILE), then run weft repair.\n");
  }
}

Answer run(const Context& context, const Options& options) {
  const store::StoreUrl& url = context.home().store;
  if (!url.exists()) {
    return refuse({ErrorCode::not_found, "no store at " + url.shown()},
                  "name one with --store or --home");
  }
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Result<FileLock> lock = hold_store(context);
  if (!lock) return refuse(std::move(lock).error());
  Result<ScratchFolder> scratch = ScratchFolder::make(url);
  if (!scratch) return refuse(std::move(scratch).error());
  Outcome<Opened> opened = open(context, options, scratch->path());
  if (!opened) return refuse(std::move(opened));
  if (!opened->keyring || !opened->keyring->can_sign()) {
    return refuse({ErrorCode::denied,
                   "cannot repair the store: what is sealed and signed is rebuilt with the owner's "
                   "keyring, and no keyring that can sign was found"},
                  "name the owner's keyring with --keys FILE");
  }
  std::optional<Cid> dropping;
  if (options.drop_key) {
    Outcome<Cid> identity = confirm_drop(context, options, *opened);
    if (!identity) return refuse(std::move(identity));
    dropping = *identity;
  }

  std::optional<ingest::DropReport> dropped;
  ProgressLine line(context.err());
  const RepairOptions how{
      .scratch = scratch->path(),
      .threads = std::max(1u, std::thread::hardware_concurrency()),
      .human = config->human,
      .index_sealed = config->index_sealed,
      .when_mended = [&]() -> Status {
        WEFT_TRY(check_owner(*opened->store, context.home(), *opened->keyring));
        if (!dropping) return {};
        WEFT_TRY_VALUE(dropped, ingest::drop_key(*opened->store, *opened->keyring, *dropping, now(),
                                                 config->index_sealed));
        return {};
      },
      .progress =
          [&](std::string_view step, std::uint64_t done, std::uint64_t all) {
            line.show(all == 0 ? std::string(step)
                               : fmt::format("{}: {} of {}", step, count(done), count(all)));
          }};
  Result<RepairReport> report = repair(*opened->store, *opened->keyring, how);
  line.clear();
  if (!report) {
    return refuse(std::move(report).error(),
                  "what was mended stays; run weft repair again once the cause is gone");
  }
  if (context.json()) {
    json::object answer = to_json(*report);
    if (options.dry_run) answer["dry_run"] = true;
    if (dropped) answer["dropped"] = to_json(*dropped);
    context.print_json(answer);
  } else {
    if (dropped) {
      print_plan(context, dropped->plan, options.dry_run ? "would be dropped" : "dropped");
    }
    print_report(context, *report, options.dry_run);
  }
  return report->is_sound() ? Exit::done : Exit::no;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.flag("--dry-run", options->dry_run,
                 "Show what would be repaired; works on a copy and changes nothing");
  arguments.add("--drop-key", options->drop_key,
                "Remove everything that this key signed, after showing it: a key or the CID of "
                "its identity, 8 digits or more",
                {.value = "ID"});
  arguments.flag("--yes", options->yes,
                 "With --drop-key: do not ask for confirmation; required without a terminal and "
                 "with --json");
  return [options](Context& context) { return run(context, *options); };
}

}  // namespace

const Command& repair_command() {
  static const Command command = {
      .name = "repair",
      .group = Group::check,
      .summary = "bring back damaged thoughts, and rebuild what is derived",
      .about =
          "Checks every thought, connection and tree, and brings back what is damaged: from other\n"
          "rows, by signing again, by finding the one bit that was changed, or by weaving the\n"
          "source file or its archived copy again. Nothing is written unless its hash and its\n"
          "signature hold. Then rebuilds what follows from the thoughts, and verifies. It says\n"
          "what it repaired and what is lost. Make a backup first: weft backup FILE.\n"
          "\n"
          "--drop-key removes what a wrong keyring wove, or a stranger's structure that came by\n"
          "import: everything signed by that key, and by the keys of the models and tools that it\n"
          "speaks for. The owner's own files can be ingested again. This cannot be undone, and\n"
          "heads noted since then are no longer met: note the one that is printed.\n"
          "\n"
          "Waits up to 30 seconds for other processes that use the store, and names them. Exit\n"
          "code 1 if something is lost.",
      .examples =
          "weft repair --dry-run\n"
          "weft repair\n"
          "weft repair --drop-key 4b26c09d\n"
          "weft repair --json | jq .lost",
      .see_also = "weft verify, weft backup, weft doctor",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
