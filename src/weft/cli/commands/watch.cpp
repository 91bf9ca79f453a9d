// weft watch: conversations are woven while they happen.
#include <unistd.h>

#include <limits>
#include <memory>

#include "weft/cli/command.hpp"
#include "weft/cli/figures.hpp"
#include "weft/cli/following.hpp"
#include "weft/cli/signals.hpp"
#include "weft/cli/where.hpp"

namespace weft::cli {
namespace {

struct Options {
  Where where;
  std::uint64_t most_watches = std::numeric_limits<std::uint64_t>::max();
};

// A line at a time, so that whoever reads along has it at once.
class Lines {
 public:
  Lines(const Context& context, const query::Library& library)
      : context_(context), library_(library) {}

  void following(const ingest::Report& report) const {
    if (context_.json()) {
      return put({{"event", "following"},
                  {"time", to_iso8601(now())},
                  {"conversations", report.conversations.size()},
                  {"files", report.files},
                  {"new_thoughts", report.new_thoughts}});
    }
    const std::string taken =
        report.new_thoughts == 0 ? "nothing new so far"
                                 : "took in " + count(report.conversations.size(), "conversation") +
                                       ", " + count(report.new_thoughts, "thought") + " new";
    context_.note(taken + "; following what comes, until Ctrl-C");
  }
  void waiting() const {
    if (context_.json()) return put({{"event", "waiting"}, {"time", to_iso8601(now())}});
    context_.note(
        "another weft follows these sources; this one tells what comes, and goes on when "
        "the other ends");
  }
  void grew(const Grown& grown) const {
    if (context_.json()) return put(to_json(library_, grown, now()));
    context_.print(to_line(library_, grown, now(), context_.style()) + "\n");
    std::fflush(context_.out());
  }

 private:
  void put(const json::object& line) const {
    write_json(context_.out(), line, Layout::compact);
    std::fflush(context_.out());
  }

  const Context& context_;
  query::Library library_;
};

Answer watch(const Context& context, const Options& options) {
  const int signals = catch_signals();
  Asked<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  Asked<ingest::Options> what = options_to_follow(context, options.where);
  if (!what) return refuse(std::move(what));
  if (what->folders.empty()) {
    return refuse({ErrorCode::not_found, "there is nothing to follow: HOME is not set"},
                  "name folders: weft watch --source FORMAT:DIR");
  }
  const Lines lines(context, opened->library());
  Following following(context,
                      {.following = [&](const ingest::Report& report) { lines.following(report); },
                       .waiting = [&] { lines.waiting(); },
                       .grew = [&](const Grown& grown) { lines.grew(grown); }});
  following.open(opened->library(), signals);
  what->progress = following.progress();
  ingest::KeeperCalls calls = following.calls();
  // --log: calls.on_taken is told of every conversation that was looked at, on the keeper's thread;
  // a log of sessions appends what is new of them there.
  ingest::Keeper keeper(*opened->store, *opened->keyring, *std::move(what),
                        lock_for(context, options.where), std::move(calls),
                        static_cast<std::size_t>(options.most_watches));
  keeper.begin();
  following.run();
  keeper.stop();
  ::close(signals);
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  options->where.add_to(arguments);
  arguments.add("--most-watches", options->most_watches,
                "Watch so many folders at most through the system, and look at others every second",
                {.value = "N"});
  return [options](Context& context) { return watch(context, *options); };
}

}  // namespace

const Command& watch_command() {
  static const Command command = {
      .name = "watch",
      .group = Group::take_in,
      .summary = "take conversations in while they happen",
      .about =
          "Takes in what the tools of this machine have left, and from then on what they write, "
          "as\n"
          "they write it; a line for each conversation that grew. One weft of a home does so at a\n"
          "time, be it this one, weft up, weft mcp or weft serve: where another one is at it, "
          "this\n"
          "one tells what comes, and goes on when the other ends. With --json it prints one JSON\n"
          "object a line. It ends on Ctrl-C.",
      .examples =
          "weft watch\n"
          "weft watch --source claude-code:~/.claude/projects --pattern 'weft*'\n"
          "weft watch --json | jq -r 'select(.event == \"grew\") | .title'",
      .see_also = "weft up, weft ingest, weft serve",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
