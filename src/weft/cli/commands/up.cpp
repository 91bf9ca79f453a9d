// weft up, and weft without a command: ingests, follows and serves the conversations of this
// machine.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
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
#include "weft/cli/serve/run_up.hpp"
#include "weft/cli/serve/serve_options.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {
namespace {

struct Options {
  SourceOptions where;
  ServeOptions serve;
  bool once = false, open = false;
};

std::filesystem::path sample_path(const Context& context) {
  return context.home().store.folder() / "sample.txt";
}

// The sample is written beside the store, where a person can look at it.
Status ingest_sample(const Context& context, const Opened& opened) {
  const Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return fail(config.error());
  const std::filesystem::path path = sample_path(context);
  WEFT_TRY(write_file_atomically(path, sample_transcript(), 0600));
  const ingest::Options what{.paths = {path}, .index_sealed = config->index_sealed, .clock = now};
  WEFT_TRY_VALUE(auto report, ingest::ingest(*opened.store, *opened.keyring, what));
  if (report.conversations.empty()) {
    return fail(ErrorCode::internal, "the sample could not be ingested");
  }
  return {};
}

// The last answer of a conversation; its last thought if there is no answer.
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

void print_next_steps(const Context& context, const Cid& conversation, const Cid& answer) {
  Table table({{.colour = Colour::cyan}, {}});
  table.add({"  weft ingest FILE…", "ingest your own transcripts"});
  table.add({"  weft list", "list the conversations"});
  table.add({"  weft walk " + conversation.brief(), "print this conversation in order"});
  table.add({"  weft why " + answer.brief(), "print the tree above again"});
  table.add({"  weft verify", "check every hash and signature"});
  table.add({"  weft --help", "list all commands"});
  context.print(
      "\n"
      "Next steps\n" +
      table.str(context.style()));
}

// Ingests the conversations of all known tools on this machine.
Answer ingest_machine(const Context& context, const Opened& opened, const SourceOptions& where) {
  Outcome<ingest::Options> what = options_for(context, where, {});
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
    context.print("Ingested " + count(report->conversations.size(), "conversation") + " from " +
                  count(report->files, "file") + ": " + count(report->new_thoughts, "thought") +
                  " new.\n");
  }
  return Exit::done;
}

// The conversation at the top of `weft list`: the one that changed last, whenever it was ingested.
Result<std::optional<store::ConversationRow>> find_newest(const query::Library& library) {
  WEFT_TRY_VALUE(auto listed, query::list(library, {.limit = 1}));
  const json::array* conversations = find_array(listed, "conversations");
  if (conversations == nullptr || conversations->empty()) return std::nullopt;
  const json::object& first = conversations->front().as_object();
  WEFT_TRY_VALUE(auto cid, Cid::parse(find_string(first, "cid").value_or("")));
  WEFT_TRY_VALUE(auto row, library.web.conversation(cid));
  return row;
}

// Shows the last answer of the most recently changed conversation, and its causes; of the sample,
// if there is none.
Answer show(const Context& context, const Opened& opened) {
  const query::Library library = opened.library();
  Result<std::optional<store::ConversationRow>> found = find_newest(library);
  if (!found) return refuse(std::move(found).error());
  const bool sample = !found->has_value();
  if (sample && !context.home().store.is_writable()) {
    return refuse({ErrorCode::not_found, "the store has no conversations, and cannot be written"});
  }
  if (sample) {
    if (Status ingested = ingest_sample(context, opened); !ingested) {
      return refuse(std::move(ingested).error());
    }
    found = find_newest(library);
    if (!found) return refuse(std::move(found).error());
    if (!*found) return refuse({ErrorCode::internal, "the sample is not listed"});
  }
  const store::ConversationRow& newest = **found;
  Result<std::optional<Cid>> answer = last_answer(library, newest);
  if (!answer) return refuse(std::move(answer).error());
  if (!*answer) return refuse({ErrorCode::not_found, "the newest conversation is empty"});
  const Cid& cid = **answer;
  if (!context.json()) {
    context.print(sample ? "A demonstration on a small sample conversation (" +
                               on_one_line(sample_path(context).string()) + ").\n"
                         : "The most recently changed conversation.\n");
    context.print(
        "Its last answer, and the causes of it:\n"
        "\n");
  }
  const Answer shown = print_trace(
      context, library, cid, Traced::causes, {},
      {{"conversation_cid", newest.cid.str()}, {"answer_cid", cid.str()}, {"sample", sample}});
  if (shown && !context.json()) print_next_steps(context, newest.cid, cid);
  return shown;
}

Answer show_once(const Context& context, const Options& options) {
  const store::StoreUrl& url = context.home().store;
  if (url.exists() && !url.is_writable()) {
    context.note("the store " + url.shown() + " can be read, but not written: nothing is ingested");
    Outcome<Opened> read = context.open_to_read();
    if (!read) return refuse(std::move(read));
    return show(context, *read);
  }
  Outcome<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  if (Answer ingested = ingest_machine(context, *opened, options.where); !ingested) return ingested;
  return show(context, *opened);
}

Answer up(const Context& context, const Options& options) {
  if (options.once) return show_once(context, options);
  return run_up(
      context, options.where, options.serve,
      [&](const Opened& opened) { return show(context, opened); }, options.open);
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.flag("--once", options->once, "Show the newest answer, and exit");
  arguments.flag("--open", options->open, "Open the page in the browser");
  options->serve.add_to(arguments);
  options->where.add_to(arguments);
  return [options](Context& context) { return up(context, *options); };
}

}  // namespace

const Command& up_command() {
  static const Command command = {
      .name = "up",
      .group = Group::begin,
      .summary = "ingest, follow and serve this machine's conversations; same as weft alone",
      .about =
          "Ingests the conversations that known tools have left on this machine, and shows the\n"
          "last answer of the most recently changed one with its causes. If there are none, it\n"
          "ingests a small sample. Then it keeps running: it ingests what these tools write, as\n"
          "weft watch does, serves the page and agents on this machine, as weft serve does, and\n"
          "reports what came in, until Ctrl-C. With --once it exits before that. So does weft\n"
          "without a command if stdout is not a terminal, or with --json.",
      .examples =
          "weft\n"
          "weft up --once\n"
          "weft up --open\n"
          "weft up --listen 127.0.0.1:8080 --pattern 'weft*'\n"
          "weft up --home ./try-it",
      .see_also = "weft watch, weft serve, weft ingest, weft why",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
