// weft up, and weft alone: what this machine has, taken in, followed and served.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "weft/base/file.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/serve/serve_options.hpp"
#include "weft/cli/serve/up.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {
namespace {

struct Options {
  SourceOptions where;
  ServeOptions serve;
  bool once = false;
};

std::filesystem::path sample_path(const Context& context) {
  return context.home().store.parent_path() / "sample.txt";
}

// The sample lies beside the store, so that whoever likes can look at it.
Status ingest_sample(const Context& context, const Opened& opened) {
  const Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return fail(config.error());
  const std::filesystem::path path = sample_path(context);
  if (Status written = write_file_atomically(path, sample_transcript(), 0600); !written) {
    return written;
  }
  const ingest::Options what{.paths = {path}, .index_sealed = config->index_sealed, .clock = now};
  Result<ingest::Report> report = ingest::ingest(*opened.store, *opened.keyring, what);
  if (!report) return fail(std::move(report).error());
  if (report->conversations.empty()) {
    return fail(ErrorCode::internal, "the sample could not be taken in");
  }
  return {};
}

// The last answer of a conversation; its last thought where nobody answered.
Result<std::optional<Cid>> last_answer(const query::Library& library,
                                       const store::ConversationRow& row) {
  std::optional<Cid> answer, last;
  Status walked = query::walk(library, row, {}, [&](const json::object& turn) {
    const json::array* thoughts = find_array(turn, "thoughts");
    if (thoughts == nullptr) return;
    for (const json::value& thought : *thoughts) {
      const Result<Cid> cid = Cid::parse(find_string(thought.as_object(), "cid").value_or(""));
      if (!cid) continue;
      last = *cid;
      if (kind_of(thought.as_object()) == "response") answer = *cid;
    }
  });
  if (!walked) return fail(std::move(walked).error());
  return answer ? answer : last;
}

void print_how_to_go_on(const Context& context, const Cid& conversation, const Cid& answer) {
  Table table({{.colour = Colour::cyan}, {}});
  table.add({"  weft ingest FILE…", "take your own transcripts in"});
  table.add({"  weft list", "see what there is"});
  table.add({"  weft walk " + conversation.brief(), "this conversation in order"});
  table.add({"  weft why " + answer.brief(), "the tree above again"});
  table.add({"  weft verify", "check every hash and signature"});
  table.add({"  weft --help", "all that it can do"});
  context.print("\nGo on with\n" + table.str(context.style()));
}

// Everything that the tools of this machine have left.
Answer ingest_machine(const Context& context, const Opened& opened, const SourceOptions& where) {
  Asked<ingest::Options> what = options_for(context, where, {});
  if (!what) return refuse(std::move(what));
  if (what->folders.empty()) return Exit::done;
  const auto began = std::chrono::steady_clock::now();
  ProgressLine line(context.err());
  what->progress = [&](const ingest::Progress& progress) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - began);
    line.show(shown(progress, elapsed.count()));
  };
  Result<ingest::Report> report = ingest::ingest(*opened.store, *opened.keyring, *what);
  line.clear();
  if (!report) return refuse(std::move(report).error());
  if (!context.json() && report->new_thoughts > 0) {
    context.print("Took in " + count(report->conversations.size(), "conversation") + " from " +
                  count(report->files, "file") + ": " + count(report->new_thoughts, "thought") +
                  " new.\n");
  }
  return Exit::done;
}

// The last answer of what changed last, and what it rests on; the sample's, where there is nothing.
Answer show(const Context& context, const Opened& opened) {
  const query::Library library = opened.library();
  Result<std::vector<store::ConversationRow>> rows = library.store.conversations({});
  if (!rows) return refuse(std::move(rows).error());
  const bool sample = rows->empty();
  if (sample) {
    if (Status taken = ingest_sample(context, opened); !taken) {
      return refuse(std::move(taken).error());
    }
    rows = library.store.conversations({});
    if (!rows) return refuse(std::move(rows).error());
  }
  const store::ConversationRow& newest = rows->front();
  Result<std::optional<Cid>> answer = last_answer(library, newest);
  if (!answer) return refuse(std::move(answer).error());
  if (!*answer) return refuse({ErrorCode::not_found, "the newest conversation is empty"});
  const Cid& cid = **answer;
  if (!context.json()) {
    context.print(sample ? "Here is weft at work on a small conversation (" +
                               on_one_line(sample_path(context).string()) + ").\n"
                         : "The conversation that changed last.\n");
    context.print("Its last answer, and what that rests on:\n\n");
  }
  const Answer shown = print_why(
      context, library, cid, {},
      {{"conversation_cid", newest.cid.str()}, {"answer_cid", cid.str()}, {"sample", sample}});
  if (shown && !context.json()) print_how_to_go_on(context, newest.cid, cid);
  return shown;
}

Answer show_once(const Context& context, const Options& options) {
  Asked<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  if (Answer taken = ingest_machine(context, *opened, options.where); !taken) return taken;
  return show(context, *opened);
}

Answer up(const Context& context, const Options& options) {
  if (options.once) return show_once(context, options);
  return run_up(context, options.where, options.serve,
                [&](const Opened& opened) { return show(context, opened); });
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.flag("--once", options->once, "Show what there is, and end");
  options->serve.add_to(arguments);
  options->where.add_to(arguments);
  return [options](Context& context) { return up(context, *options); };
}

}  // namespace

const Command& up_command() {
  static const Command command = {
      .name = "up",
      .group = Group::begin,
      .summary = "take in, follow and serve what this machine has; the same as weft alone",
      .about =
          "Takes in the conversations that the tools of this machine have left, and shows the "
          "last\n"
          "answer of the one that changed last, and what it rests on. Where there is nothing to\n"
          "take in, a small sample is. Then it goes on: it takes in what these tools write from\n"
          "now on, as weft watch does, serves it to agents on this machine, as weft serve does,\n"
          "and says what came in, until Ctrl-C. With --once it ends before that. So does weft\n"
          "alone where nobody looks: without a terminal, or with --json.",
      .examples =
          "weft\n"
          "weft up --once\n"
          "weft up --listen 127.0.0.1:8080 --pattern 'weft*'\n"
          "weft up --home ./try-it",
      .see_also = "weft watch, weft serve, weft ingest, weft why",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
