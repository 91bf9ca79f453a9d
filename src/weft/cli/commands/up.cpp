// weft up, and weft without a command: ingests, follows and serves the conversations of this
// machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/read/last_exchange.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/serve/run_up.hpp"
#include "weft/cli/serve/serve_options.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/ingest/sources.hpp"

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

// The sample is written beside the store, where a person can look at it. False if it was forgotten.
Result<bool> ingest_sample(const Context& context, const Opened& opened) {
  const Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return fail(config.error());
  const std::filesystem::path path = sample_path(context);
  WEFT_TRY(write_file_atomically(path, sample_transcript(), 0600));
  const ingest::Options what{.paths = {path}, .index_sealed = config->index_sealed, .clock = now};
  WEFT_TRY_VALUE(const auto report, ingest::ingest(*opened.store, *opened.keyring, what));
  return !report.conversations.empty();
}

// One line, and what it is about.
void print_labelled(const Context& context, std::string_view label, const std::string& words,
                    Screen screen, const std::string& cid) {
  constexpr std::size_t kColumns = 100;
  const Style& style = context.style();
  const std::size_t used = 12 + cid.size() + 2;
  const std::size_t width = std::min(style.width, kColumns);
  context.print(fmt::format("  {:<8}  {}  {}\n", label,
                            fitted(words, width > used + 16 ? width - used : 16),
                            style.paint(Colour::faint, style.link(screen, cid))));
}

void print_next_steps(const Context& context, const std::string& answer) {
  Table table({{.colour = Colour::cyan}, {}});
  table.add({"  weft search WORDS", "find anything that was said or done"});
  table.add({"  weft read last", "read this session"});
  table.add({"  weft why " + answer, "why it answered so"});
  context.print(table.str(context.style()));
}

// Before the first ingest: what there is, and where it goes.
void announce(const Context& context, const ingest::Options& what) {
  std::uint64_t files = 0, bytes = 0;
  std::set<std::string> tools;
  for (const ingest::SourceFolder& folder : ingest::list_folders(what.folders)) {
    if (folder.files == 0) continue;
    files += folder.files;
    bytes += folder.bytes;
    tools.insert(folder.format);
  }
  if (files == 0) return;
  context.print(
      fmt::format("Found {} ({}) of {}.\nweft reads them into {}; nothing leaves this machine.\n",
                  count(files, "file"), byte_size(bytes), fmt::join(tools, ", "),
                  on_one_line(context.home().store.shown())));
}

// Ingests the conversations of all known tools on this machine.
Answer ingest_machine(const Context& context, const Opened& opened, const SourceOptions& where,
                      bool is_first) {
  Outcome<ingest::Options> what = options_for(context, where, {});
  if (!what) return refuse(std::move(what));
  if (what->folders.empty()) return Exit::done;
  if (is_first && !context.json()) announce(context, *what);
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

// Shows the end of the conversation that changed last, or of the sample if there is no other, and
// what to do next. With --json it prints the last answer of that conversation and its causes.
Answer show(const Context& context, const Opened& opened) {
  const query::Library library = opened.library();
  Result<std::optional<store::ConversationRow>> found = find_newest(library);
  if (!found) return refuse(std::move(found).error());
  const bool sample = !found->has_value();
  if (sample && !context.home().store.is_writable()) {
    return refuse({ErrorCode::not_found, "the store has no conversations, and cannot be written"});
  }
  if (sample) {
    const Result<bool> ingested = ingest_sample(context, opened);
    if (!ingested) return refuse(ingested.error());
    if (!*ingested) {
      return refuse({ErrorCode::not_found, "no conversations were found"},
                    "ingest one with: weft ingest FILE");
    }
    found = find_newest(library);
    if (!found) return refuse(std::move(found).error());
    if (!*found) return refuse({ErrorCode::internal, "the sample is not listed"});
  }
  const store::ConversationRow& newest = **found;
  const Result<LastExchange> last = last_exchange(library, newest);
  if (!last) return refuse(last.error());
  if (!last->answer) return refuse({ErrorCode::not_found, "the newest conversation is empty"});
  const Result<Cid> cid = Cid::parse(find_string(*last->answer, "cid").value_or(""));
  if (!cid) return refuse(cid.error());
  if (context.json()) {
    return print_trace(
        context, library, *cid, Traced::causes, {},
        {{"conversation_cid", newest.cid.str()}, {"answer_cid", cid->str()}, {"sample", sample}});
  }
  const json::object about = query::describe(library, newest);
  const auto project = find_string(about, "project");
  context.print(sample ? "No conversations were found; this is a small sample (" +
                             on_one_line(sample_path(context).string()) +
                             "). weft forget weft-sample removes it.\n"
                       : std::string("The newest session\n"));
  print_labelled(context, local_date(find_int(about, "updated_at").value_or(0)),
                 (project ? on_one_line(*project) + " · " : std::string()) +
                     first_words(find_string(about, "title").value_or("(untitled)")),
                 Screen::conversation, newest.cid.brief());
  if (last->prompt) {
    print_labelled(context, "asked", summary_line(*last->prompt), Screen::thought,
                   brief(find_string(*last->prompt, "cid").value_or("")));
  }
  print_labelled(context, "answered", summary_line(*last->answer), Screen::thought, cid->brief());
  print_next_steps(context, cid->brief());
  return Exit::done;
}

Answer show_once(const Context& context, const Options& options) {
  const store::StoreUrl& url = context.home().store;
  if (url.exists() && !url.is_writable()) {
    context.note("the store " + url.shown() + " can be read, but not written: nothing is ingested");
    Outcome<Opened> read = context.open_to_read();
    if (!read) return refuse(std::move(read));
    return show(context, *read);
  }
  const bool is_first = !url.exists();
  Outcome<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  if (Answer ingested = ingest_machine(context, *opened, options.where, is_first); !ingested) {
    return ingested;
  }
  return show(context, *opened);
}

Answer up(const Context& context, const Options& options) {
  if (options.once) return show_once(context, options);
  if (!context.home().store.exists() && !context.json()) {
    Outcome<ingest::Options> what = options_for(context, options.where, {});
    if (what) announce(context, *what);
  }
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
          "end of the most recently changed one (with --json: its last answer and the causes of\n"
          "it). If there are none, it ingests a small sample. Then it keeps running: it ingests "
          "what these tools write, as\n"
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
