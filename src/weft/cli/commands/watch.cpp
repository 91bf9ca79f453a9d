// weft watch: ingests conversations as they are written.
#include <unistd.h>

#include <limits>
#include <memory>
#include <mutex>

#include "weft/base/try.hpp"
#include "weft/capture/log/session_log.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/signals.hpp"
#include "weft/cli/follow/store_watch.hpp"
#include "weft/cli/follow/watch_output.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/share/sync_follower.hpp"

namespace weft::cli {
namespace {

struct Options {
  SourceOptions source_options;
  std::optional<std::string> log;
  capture::LogOptions log_options;
  std::uint64_t most_watches = std::numeric_limits<std::uint64_t>::max();
};

// The session log. Two threads append to it: the background ingest knows first what this process
// ingested, the command's thread what any process did.
class SharedSessionLog {
 public:
  explicit SharedSessionLog(const Context& context) : context_(context) {}

  Status begin(const query::Library& library, const Options& options) {
    if (!options.log) return {};
    WEFT_TRY_VALUE(auto log, capture::SessionLog::open(
                                 library, with_home(*options.log, context_.environment()),
                                 options.log_options));
    const std::scoped_lock lock(mutex_);
    log_.emplace(std::move(log));
    report(log_->catch_up());
    return {};
  }
  void append(const std::vector<Cid>& conversations) {
    const std::scoped_lock lock(mutex_);
    if (log_) report(log_->append(conversations));
  }

 private:
  void report(const Status& appended) {
    const std::string failure = appended ? std::string() : appended.error().message;
    // Reported once; the log catches up as soon as it can.
    if (!failure.empty() && failure != failure_) {
      context_.note("cannot append to the session log, trying again: " + failure);
    }
    failure_ = failure;
  }

  const Context& context_;
  std::mutex mutex_;
  std::optional<capture::SessionLog> log_;  // guarded by mutex_
  std::string failure_;                     // guarded by mutex_
};

std::vector<Cid> grown_in(const ingest::Report& report) {
  std::vector<Cid> conversations;
  for (const ingest::IngestedConversation& ingested : report.conversations) {
    if (ingested.new_thoughts > 0) conversations.push_back(ingested.cid);
  }
  return conversations;
}

Answer watch(const Context& context, const Options& options) {
  if (options.log_options.with_thinking && !options.log) {
    return refuse({ErrorCode::invalid_input, "--with-thinking requires --log DIR"}, Exit::usage);
  }
  const int signals = catch_signals();
  Outcome<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  Outcome<ingest::Options> what = options_to_follow(context, options.source_options);
  if (!what) return refuse(std::move(what));
  if (what->folders.empty()) {
    return refuse({ErrorCode::not_found, "nothing to follow: HOME is not set"},
                  "name folders: weft watch --source FORMAT:DIR");
  }
  SharedSessionLog log(context);
  if (Status begun = log.begin(opened->library(), options); !begun) {
    return refuse(std::move(begun).error());
  }
  WatchOutput lines(context, opened->library());
  StoreWatch following(context,
                       {.following = [&](const ingest::Report& report) { lines.following(report); },
                        .waiting = [&] { lines.waiting(); },
                        .grew =
                            [&](const query::GrownConversation& grown) {
                              log.append({});
                              lines.grew(grown);
                            }});
  following.open(*opened->store, opened->library(), signals);
  what->progress = following.progress();
  ingest::IngestCallbacks calls = following.calls();
  calls.on_ingested = [&](const ingest::Report& report) { log.append(grown_in(report)); };
  ingest::BackgroundIngest background_ingest(
      *opened->store, *opened->keyring, *std::move(what), lock_for(context, options.source_options),
      std::move(calls), static_cast<std::size_t>(options.most_watches));
  background_ingest.begin();
  const SyncFollower sync(context, *opened, [&](std::string_view line) { context.note(line); });
  following.run();
  background_ingest.stop();
  log.append({});
  ::close(signals);
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  options->source_options.add_to(arguments);
  arguments.add("--log", options->log, "Also append every entry to DIR/<session>.jsonl",
                {.value = "DIR"});
  arguments.flag("--with-thinking", options->log_options.with_thinking,
                 "With --log: include reasoning");
  arguments.add("--log-bytes", options->log_options.max_file_bytes,
                "With --log: begin another file of a session at this size (default: 64000000)",
                {.value = "N"});
  arguments.add("--most-watches", options->most_watches,
                "Maximum number of folders to watch with inotify (default: no limit); others are "
                "polled every second",
                {.value = "N"});
  return [options](Context& context) { return watch(context, *options); };
}

}  // namespace

const Command& watch_command() {
  static const Command command = {
      .name = "watch",
      .group = Group::run_ingest,
      .summary = "ingest conversations as they are written",
      .about =
          "Ingests existing conversations of the tools on this machine, then follows their files\n"
          "and ingests what they write; prints a line for each conversation that grew. Only one\n"
          "process of a home ingests at a time (weft watch, up, mcp or serve): if another one\n"
          "does, this one reports what it adds, and takes over when it exits. With --json it\n"
          "prints one JSON object a line. Stops on Ctrl-C. With --log DIR every entry of a\n"
          "session that grows is appended to a file in DIR, as a TranscriptEntry record on a\n"
          "line; reasoning is left out unless --with-thinking is given. After 64 MB the session\n"
          "continues in another file: SESSION~2.jsonl, SESSION~3.jsonl and so on. Remotes of\n"
          "config.json with \"sync\": true are kept up to date (weft sync).",
      .examples =
          "weft watch\n"
          "weft watch --source claude-code:~/.claude/projects --pattern 'weft*'\n"
          "weft watch --log ~/sessions\n"
          "weft watch --json | jq -r 'select(.event == \"grew\") | .title'",
      .see_also = "weft up, weft hook, weft transcript",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
