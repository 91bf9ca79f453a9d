// weft forget: removes a conversation and leaves a signed tombstone.
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
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/share/forget_remotely.hpp"
#include "weft/cli/share/home_remote.hpp"
#include "weft/ingest/forget.hpp"
#include "weft/query/questions.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string conversation;
  bool yes = false;
  std::vector<std::string> remotes{};
  std::uint64_t wait = 30;  // seconds, for the keeper of a remote
};

// A source file that contains something to be forgotten.
struct File : SourceFile {
  std::vector<Cid> others{};  // other conversations in the same file, which stay
};

// Describes what is about to be removed; looked up while it still exists.
struct Preview {
  std::vector<store::ConversationRow> rows;
  std::vector<std::string> titles;
  store::ForgetPlan what;
  std::vector<File> files;
};

std::string title_of(const query::Library& library, const store::ConversationRow& row) {
  const json::object described = query::describe(library, row);
  return first_words(find_string(described, "title").value_or(row.session_id));
}

Result<File> look_up_file(const Opened& opened, const store::SourceKey& key,
                          const std::vector<store::ConversationRow>& going) {
  WEFT_TRY_VALUE(const auto source, opened.store->sources().find(key));
  File file{source ? file_of(*opened.keyring, *source) : SourceFile()};
  WEFT_TRY_VALUE(auto conversations, opened.store->sources().conversations_in(key));
  for (const Cid& cid : conversations) {
    const bool goes = std::ranges::find(going, cid, &store::ConversationRow::cid) != going.end();
    if (!goes) file.others.push_back(cid);
  }
  return file;
}

Result<Preview> look_up(const Opened& opened, const store::ConversationRow& conversation) {
  WEFT_TRY_VALUE(auto rows, ingest::forgotten_with(*opened.store, conversation));
  Preview preview{.rows = std::move(rows)};
  std::vector<Cid> cids;
  for (const store::ConversationRow& row : preview.rows) {
    cids.push_back(row.cid);
    preview.titles.push_back(title_of(opened.library(), row));
  }
  const Cid owner = thought::owner_identity(*opened.keyring).cid;
  WEFT_TRY_VALUE(auto what, opened.store->forgetting().plan(cids, owner));
  preview.what = std::move(what);
  for (const store::SourceKey& key : preview.what.sources) {
    WEFT_TRY_VALUE(auto file, look_up_file(opened, key, preview.rows));
    preview.files.push_back(std::move(file));
  }
  return preview;
}

std::string conversations_table(const Context& context, const Preview& preview) {
  Table table({{.colour = Colour::cyan},
               {.align = Align::right},
               {.align = Align::right},
               {},
               {.flexible = true}});
  for (std::size_t i = 0; i < preview.rows.size(); ++i) {
    const store::ConversationRow& row = preview.rows[i];
    table.add({"  " + row.cid.brief(), count(row.turn_count, "turn"),
               count(preview.what.conversations[i].thoughts, "thought"), on_one_line(row.source),
               preview.titles[i]});
  }
  return table.str(context.style());
}

std::string others_in(const File& file) {
  if (file.others.empty()) return "";
  std::string names;
  for (const Cid& cid : file.others) names += (names.empty() ? "" : ", ") + cid.brief();
  return fmt::format(" ({} in the same file stay in the web: {})",
                     count(file.others.size(), "other conversation"), names);
}

void print_files(const Context& context, const Preview& preview, std::string_view happens) {
  for (const File& file : preview.files) {
    context.print(fmt::format("  {} {}{}\n", happens, on_one_line(file.path), others_in(file)));
  }
}

// Forgetting changes the store alone: the person deletes other copies.
void print_not_reached(const Context& context, const Preview& preview) {
  print_not_reached(context, {preview.files.begin(), preview.files.end()});
}

// Asks the person on the terminal; a script passes --yes.
Outcome<bool> is_confirmed(const Context& context, const Options& options, const Preview& preview) {
  if (options.yes) return true;
  if (!can_ask(context)) {
    return refuse({ErrorCode::denied,
                   "nothing was forgotten: there is no terminal to ask for confirmation on; pass "
                   "--yes to forget without confirmation"},
                  Exit::no);
  }
  context.print("The following will be removed, and cannot be restored:\n");
  context.print(conversations_table(context, preview));
  print_files(context, preview, "the archived copy of");
  if (preview.what.shared > 0) {
    context.print(fmt::format("  {} shared with other conversations stay\n",
                              count(preview.what.shared, "thought")));
  }
  print_not_reached(context, preview);
  return is_answered_yes(context, "Forget it? [y/N] ");
}

json::object to_json(const ingest::ForgetReport& report, const Preview& preview) {
  json::array forgotten, files;
  for (const auto& [row, thoughts] : report.conversations) {
    forgotten.push_back({{"conversation_cid", row.cid.str()},
                         {"session_id", row.session_id},
                         {"format", row.format},
                         {"source", row.source},
                         {"thoughts", thoughts}});
  }
  for (const File& file : preview.files) {
    json::array others;
    for (const Cid& cid : file.others) others.emplace_back(cid.str());
    files.push_back(
        {{"path", file.path}, {"other_conversations", std::move(others)}, {"exists", file.exists}});
  }
  return {{"forgotten", std::move(forgotten)},
          {"tombstone", report.tombstone.str()},
          {"archives", report.archives},
          {"files", std::move(files)},
          {"shared_kept", report.shared_kept},
          {"wiped", report.is_wiped},
          {"not_reached", json::array(kNotReached.begin(), kNotReached.end())}};
}

void print_report(const Context& context, const ingest::ForgetReport& report,
                  const Preview& preview) {
  context.print(fmt::format("forgot {}; tombstone {}\n",
                            count(report.conversations.size(), "conversation"),
                            report.tombstone.brief()));
  context.print(conversations_table(context, preview));
  print_files(context, preview, "the archived copy was removed of");
  if (report.shared_kept > 0) {
    context.print(fmt::format("  {} shared with other conversations stayed\n",
                              count(report.shared_kept, "thought")));
  }
  print_not_reached(context, preview);
  if (!report.is_wiped) {
    context.note(
        "removed from the web, but traces remain in the store's files because another process is "
        "reading an older state; the next ingest scrubs them");
  }
}

Outcome<std::vector<RemoteConfig>> remotes_of(const Context& context, const Config& config,
                                              const Options& options) {
  std::vector<RemoteConfig> remotes;
  for (const std::string& name : options.remotes) {
    Outcome<RemoteConfig> remote = find_remote(context, config, name);
    if (!remote) return refuse(std::move(remote));
    remotes.push_back(*std::move(remote));
  }
  return remotes;
}

Outcome<std::vector<RemoteForget>> forget_there(const Context& context, const Opened& opened,
                                                const std::vector<RemoteConfig>& remotes,
                                                const std::vector<Cid>& conversations,
                                                std::uint64_t wait) {
  std::vector<RemoteForget> all;
  for (const RemoteConfig& remote : remotes) {
    Outcome<RemoteForget> one =
        forget_remotely(context, opened, remote, conversations,
                        std::chrono::seconds(static_cast<std::int64_t>(wait)));
    if (!one) return refuse(std::move(one));
    all.push_back(*std::move(one));
  }
  return all;
}

Exit exit_of(const std::vector<RemoteForget>& all) {
  const bool waits = std::ranges::any_of(
      all, [](const RemoteForget& one) { return one.state == RemoteForget::State::waiting; });
  return waits ? Exit::no : Exit::done;
}

// It is forgotten here already: on the remotes too, then.
Answer forget_only_there(const Context& context, const Opened& opened, const Options& options,
                         const std::vector<RemoteConfig>& remotes,
                         const std::vector<Cid>& conversations) {
  auto there = forget_there(context, opened, remotes, conversations, options.wait);
  if (!there) return refuse(std::move(there));
  if (context.json()) {
    context.print_json(json::object{{"forgotten", json::array()}, {"remotes", to_json(*there)}});
  } else {
    print(context, *there);
  }
  return exit_of(*there);
}

Answer forget(const Context& context, const Options& options) {
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  Outcome<std::vector<RemoteConfig>> remotes = remotes_of(context, *config, options);
  if (!remotes) return refuse(std::move(remotes));
  Outcome<Opened> opened = context.open_to_change();
  if (!opened) return refuse(std::move(opened));
  if (!opened->keyring || !opened->keyring->can_sign()) {
    return refuse(
        {ErrorCode::denied, "cannot sign the tombstone: no keyring that can sign was found"},
        "name the owner's keyring with --keys FILE");
  }
  if (Status fits = check_owner(*opened->store, context.home(), *opened->keyring); !fits) {
    return refuse(std::move(fits).error());
  }
  const query::Library library = opened->library();
  Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
  if (!row && row.error().error.code == ErrorCode::not_found && !remotes->empty()) {
    const auto forgotten = find_forgotten(*opened->store, options.conversation);
    if (forgotten) return forget_only_there(context, *opened, options, *remotes, *forgotten);
  }
  if (!row) return refuse(std::move(row));
  Result<Preview> preview = look_up(*opened, *row);
  if (!preview) return refuse(std::move(preview).error());
  Outcome<bool> confirmed = is_confirmed(context, options, *preview);
  if (!confirmed) return refuse(std::move(confirmed));
  if (!*confirmed) {
    context.note("nothing was forgotten");
    return Exit::no;
  }
  Result<ingest::ForgetReport> report =
      ingest::forget(*opened->store, *opened->keyring, *row, now(), config->index_sealed);
  if (!report) return refuse(std::move(report).error());
  if (!context.json()) print_report(context, *report, *preview);
  if (remotes->empty() && !config->remotes.empty()) {
    context.note("a remote that it was pushed to still has it: weft push removes it there");
  }
  std::vector<Cid> conversations;
  for (const auto& one : report->conversations) conversations.push_back(one.row.cid);
  auto there = forget_there(context, *opened, *remotes, conversations, options.wait);
  if (!there) {
    Refusal refusal = std::move(there).error();
    refusal.error = std::move(refusal.error).within("it is forgotten here, but not there");
    return std::unexpected(std::move(refusal));
  }
  if (context.json()) {
    json::object answer = to_json(*report, *preview);
    answer["remotes"] = to_json(*there);
    context.print_json(answer);
  } else {
    print(context, *there);
  }
  return exit_of(*there);
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "Conversation to forget", {.required = true});
  arguments.flag("--yes", options->yes,
                 "Do not ask for confirmation; required without a terminal and with --json");
  arguments.add("--remote", options->remotes,
                "Have it forgotten on this remote of config.json, too; may be repeated",
                {.value = "NAME"});
  arguments.add("--wait", options->wait,
                "With --remote: how many seconds to wait for the keeper there (default: 30)",
                {.value = "N"});
  return [options](Context& context) { return forget(context, *options); };
}

}  // namespace

const Command& forget_command() {
  static const Command command = {
      .name = "forget",
      .group = Group::run_ingest,
      .summary = "remove a conversation permanently, and do not ingest it again",
      .about =
          "Removes a conversation, the subagents it spawned, the archived copies of its files,\n"
          "and every thought that no other conversation shares; then rewrites the store so that\n"
          "no trace stays in the file. A signed tombstone records that it existed, and its source\n"
          "is not ingested again. On a terminal, weft shows what will be removed and asks for\n"
          "confirmation; without one, and with --json, nothing is removed unless --yes is given.\n"
          "The original files, session logs, exports and backups are not touched: delete those\n"
          "yourself. This cannot be undone.\n"
          "\n"
          "With --remote it is forgotten on a remote, too. On a server where you may add but not\n"
          "remove, weft leaves a signed tombstone there, and the keeper of the store (weft serve)\n"
          "carries it out; weft waits for it, and says so if it is still waiting (exit code 1).\n"
          "Only who created a conversation can have it forgotten elsewhere.",
      .examples =
          "weft forget 3f2a91c0\n"
          "weft forget claude-code:0d5f1a3c-9a58-4f0e-9f0b-2f6f1f0f7c11 --yes\n"
          "weft forget 3f2a91c0 --remote team\n"
          "weft forget 3f2a91c0 --yes --json | jq .forgotten",
      .see_also = "weft list, weft push, weft verify, weft ingest",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
