// weft export: writes a conversation as thoughts, as a transcript or as an API request.
#include <fmt/format.h>

#include <memory>

#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/hand/html_export.hpp"
#include "weft/cli/hand/wot_export.hpp"
#include "weft/cli/read/markdown_export.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/out_file.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/ingest/forget.hpp"
#include "weft/query/commits/agent_trace.hpp"
#include "weft/query/secrets/list_secrets.hpp"
#include "weft/query/transcript/origins.hpp"
#include "weft/query/transcript/rebuild.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kThoughts = "thoughts", kWot = "wot", kMarkdown = "markdown",
                           kHtml = "html", kAgentTrace = "agent-trace";

// Documents for people: masked, and written piece by piece.
bool is_document(std::string_view form) { return form == kMarkdown || form == kHtml; }

struct Options {
  std::string conversation, as;
  bool open = false, force = false, with_subagents = false, thinking = false, mask = false;
  std::optional<std::string> out, branch, upto, repository;
};

// Whether thoughts themselves are written.
bool is_web(const Options& options) { return options.as == kThoughts || options.as == kWot; }

// What is exported: a conversation and, with --with-subagents, those that it spawned.
struct Exported {
  store::ConversationRow row;
  std::vector<store::ConversationRow> subagents{};
  // That hold what it rests on: it was resumed from them.
  std::vector<store::ConversationRow> origins{};
  std::size_t left_out = 0;  // subagents
};

Result<Exported> with_subagents(const query::Library& library, const store::ConversationRow& row,
                                const Options& options) {
  Exported exported{.row = row};
  if (!is_web(options) && !is_document(options.as)) return exported;
  if (is_web(options)) {
    WEFT_TRY_VALUE(exported.origins, query::origins_of(library, row));
  }
  WEFT_TRY_VALUE(auto family, ingest::forgotten_with(library.web, row));
  std::erase_if(family, [&](const store::ConversationRow& each) { return each.cid == row.cid; });
  if (options.with_subagents) exported.subagents = std::move(family);
  else exported.left_out = family.size();
  return exported;
}

std::string left_out_note(const Exported& exported) {
  return fmt::format("{} left out; include them with --with-subagents",
                     count(exported.left_out, "subagent"));
}

using Visit = std::function<void(const json::object&)>;

// Calls `visit` with every thought, each once, opened if --open is set.
Status each(const query::Library& library, const Exported& exported, const Options& options,
            const Visit& visit) {
  std::vector<Cid> conversations = {exported.row.cid};
  for (const store::ConversationRow& row : exported.subagents) conversations.push_back(row.cid);
  for (const store::ConversationRow& row : exported.origins) conversations.push_back(row.cid);
  if (options.as == kWot) return each_signed_alone(library, conversations, visit);
  return library.web.each_of(conversations, [&](const thought::Thought& thought) {
    const bool is_open = options.open && !thought::is_gone(thought);
    visit(is_open ? thought::to_open_json(thought, library.keyring) : thought::to_json(thought));
    return true;
  });
}

// The lines of commits that the conversation wrote: a record in each line.
Result<formats::Written> as_agent_trace(const query::Library& library,
                                        const store::ConversationRow& row, const Options& options) {
  WEFT_TRY_VALUE(
      query::AgentTrace trace,
      query::agent_trace(
          library, row, {.repository = options.repository, .version = WEFT_VERSION, .now = now()}));
  formats::Written out{.notes = std::move(trace.notes)};
  for (const json::object& record : trace.records) {
    out.text += to_text(record, Layout::compact) + "\n";
  }
  return out;
}

// A transcript marks sealed blocks; an API request must leave them out.
constexpr std::string_view kTranscript = "anthropic-transcript";

Result<formats::Written> written(const query::Library& library, const store::ConversationRow& row,
                                 const Options& options) {
  if (options.as == kAgentTrace) return as_agent_trace(library, row, options);
  WEFT_TRY_VALUE(auto rebuilt, query::rebuild(library, row,
                                              {.branch = options.branch,
                                               .upto = options.upto,
                                               .leave_out_sealed = options.as != kTranscript}));
  Result<formats::Written> out = formats::find_form(options.as)->write(rebuilt.conversation);
  if (out && rebuilt.sealed > 0) {
    const bool is_shown = options.as == kTranscript;
    out->notes.push_back(fmt::format("{} × block that the keyring cannot open, {}", rebuilt.sealed,
                                     is_shown ? "without its content" : "left out"));
  }
  return out;
}

// A document with everything that is exported; returns what was left out.
using Write = std::function<void(std::string_view text)>;
Result<std::vector<std::string>> write_document(const query::Library& library,
                                                const Exported& exported, const Options& options,
                                                const Write& write) {
  if (options.as == kHtml) {
    HtmlExport document(library, {.thinking = options.thinking, .branch = options.branch}, write);
    WEFT_TRY(document.write(exported.row, exported.subagents));
    return document.notes();
  }
  MarkdownExport document(library, {.thinking = options.thinking, .branch = options.branch}, write);
  WEFT_TRY(document.add(exported.row));
  for (const store::ConversationRow& subagent : exported.subagents)
    WEFT_TRY(document.add(subagent));
  return document.notes();
}

Result<formats::Written> as_written(const query::Library& library, const Exported& exported,
                                    const Options& options) {
  formats::Written out;
  WEFT_TRY_VALUE(out.notes, write_document(library, exported, options,
                                           [&](std::string_view text) { out.text += text; }));
  return out;
}

void report_omissions(const Context& context, const formats::Written& out) {
  for (const std::string& line : out.notes) context.note(line);
}

json::array as_array(const std::vector<std::string>& lines) {
  return json::array(lines.begin(), lines.end());
}

// Reports what was written to --out.
Answer report(const Context& context, const store::ConversationRow& row, const Options& options,
              std::uint64_t bytes, std::optional<std::uint64_t> thoughts,
              const std::vector<std::string>& notes) {
  if (context.json()) {
    json::object answer{{"conversation_cid", row.cid.str()},
                        {"as", options.as},
                        {"out", *options.out},
                        {"bytes", bytes}};
    if (thoughts) answer["thought_count"] = *thoughts;
    if (!notes.empty()) answer["notes"] = as_array(notes);
    context.print_json(answer);
  } else {
    context.note(fmt::format("wrote {} ({})", *options.out, byte_size(bytes)));
  }
  return Exit::done;
}

Answer to_file(const Context& context, const query::Library& library, const Exported& exported,
               const Options& options) {
  const store::ConversationRow& row = exported.row;
  Result<OutFile> file =
      OutFile::create(*options.out, options.force ? Existing::replace : Existing::keep);
  if (!file) return refuse_file(std::move(file).error());
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> thoughts;
  std::vector<std::string> notes;
  const auto write = [&](std::string_view text) {
    bytes += std::fwrite(text.data(), 1, text.size(), file->stream());
  };
  if (is_web(options)) {
    thoughts = 0;
    Status told = each(library, exported, options, [&](const json::object& thought) {
      ++*thoughts;
      write(to_text(thought, Layout::compact) + "\n");
    });
    if (!told) return refuse(std::move(told).error());
  } else if (is_document(options.as)) {
    Result<std::vector<std::string>> left_out = write_document(library, exported, options, write);
    if (!left_out) return refuse(std::move(left_out).error());
    for (const std::string& note : *left_out) context.note(note);
    notes = *std::move(left_out);
  } else {
    Result<formats::Written> out = written(library, row, options);
    if (!out) return refuse(std::move(out).error());
    write(out->text);
    report_omissions(context, *out);
    notes = std::move(out->notes);
  }
  if (exported.left_out > 0) notes.push_back(left_out_note(exported));
  if (Status done = file->commit(); !done) {
    return refuse_file(std::move(done).error(), Exit::failure);
  }
  return report(context, row, options, bytes, thoughts, notes);
}

Answer to_stdout(const Context& context, const query::Library& library, const Exported& exported,
                 const Options& options) {
  const store::ConversationRow& row = exported.row;
  const json::object front{{"conversation_cid", row.cid.str()}, {"as", options.as}};
  if (is_web(options) && context.json()) {
    ListDocument document(context.out(), context.layout(), front, std::string(kThoughts));
    const Status told = each(library, exported, options,
                             [&](const json::object& thought) { document.add(thought); });
    json::object back;
    if (exported.left_out > 0) back["notes"] = json::array{left_out_note(exported)};
    return closed(document, told, back);
  }
  if (is_web(options)) {
    Status told = each(library, exported, options,
                       [&](const json::object& thought) { context.print_json_line(thought); });
    if (!told) return refuse(std::move(told).error());
    return Exit::done;
  }
  if (is_document(options.as) && !context.json()) {
    Result<std::vector<std::string>> left_out = write_document(
        library, exported, options, [&](std::string_view text) { context.print_export(text); });
    if (!left_out) return refuse(std::move(left_out).error());
    for (const std::string& note : *left_out) context.note(note);
    return Exit::done;
  }
  Result<formats::Written> out = is_document(options.as) ? as_written(library, exported, options)
                                                         : written(library, row, options);
  if (!out) return refuse(std::move(out).error());
  report_omissions(context, *out);
  if (context.json()) {
    json::object answer = front;
    answer["text"] = out->text;
    if (!out->notes.empty()) answer["notes"] = as_array(out->notes);
    context.print_json(answer);
  } else {
    context.print_export(out->text);
  }
  return Exit::done;
}

// Says how many secrets leave with what is exported, or do not.
Status note_secrets(const Context& context, const query::Library& library,
                    const store::ConversationRow& row, bool is_masked) {
  const query::Library whole{library.web, library.keyring};
  WEFT_TRY_VALUE(const auto answer, query::list_secrets(whole, {.conversation = row}));
  const std::size_t found = answer.at("secrets").as_array().size();
  if (found == 0) return {};
  context.note(
      fmt::format("{} {}", count(found, "secret"),
                  is_masked ? "masked" : "in it: weft secrets lists them, --mask masks them"));
  return {};
}

Answer export_conversation(const Context& context, const Options& options) {
  if (is_web(options) && (options.branch || options.upto)) {
    return refuse(
        {ErrorCode::invalid_input,
         "thoughts are exported as a whole conversation: a part of it could not be verified"},
        Exit::usage, "omit --branch and --upto, or choose another form with --as");
  }
  const bool is_trace = options.as == kAgentTrace;
  if (is_trace && (options.branch || options.upto)) {
    return refuse({ErrorCode::invalid_input, "an agent trace is about a whole conversation"},
                  Exit::usage, "omit --branch and --upto");
  }
  if (options.repository && !is_trace) {
    return refuse({ErrorCode::invalid_input, "--repo is for agent traces"}, Exit::usage,
                  "omit --repo, or add --as agent-trace");
  }
  if (options.open && options.as == kWot) {
    return refuse({ErrorCode::invalid_input, "opened thoughts do not hash to their CIDs"},
                  Exit::usage, "omit --open, or choose --as thoughts");
  }
  if (options.mask && is_web(options)) {
    return refuse({ErrorCode::invalid_input,
                   "thoughts are exported whole: a masked one could not be verified"},
                  Exit::usage, "omit --mask, or choose another form with --as");
  }
  if (is_document(options.as) && options.upto) {
    return refuse({ErrorCode::invalid_input, "--upto is for transcripts and API requests"},
                  Exit::usage, "omit --upto, or choose another form with --as");
  }
  if (!is_web(options) && !is_document(options.as) && options.with_subagents) {
    return refuse({ErrorCode::invalid_input,
                   "subagents are exported only with --as thoughts, wot, html or markdown"},
                  Exit::usage, "omit --with-subagents, or export each subagent by its own name");
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  if (options.as == kWot && !(opened->keyring && opened->keyring->can_sign())) {
    return refuse(
        {ErrorCode::denied,
         "peers of the Web of Thought take plain signatures, and this keyring cannot sign"},
        "name the owner's keyring with --keys FILE, or export --as thoughts");
  }
  const bool is_masked = is_document(options.as) || options.mask;
  const query::PinnedLibrary library(*opened->store, opened->keys(),
                                     is_masked ? query::Secrets::masked : query::Secrets::shown);
  Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
  if (!row) return refuse(std::move(row));
  if (Status counted = note_secrets(context, library, *row, is_masked); !counted) {
    return refuse(std::move(counted).error());
  }
  Result<Exported> exported = with_subagents(library, *row, options);
  if (!exported) return refuse(std::move(exported).error());
  if (exported->left_out > 0) context.note(left_out_note(*exported));
  if (!exported->origins.empty()) {
    context.note(fmt::format("with {} that it was resumed from: what it rests on is there",
                             count(exported->origins.size(), "conversation")));
  }
  return options.out ? to_file(context, library, *exported, options)
                     : to_stdout(context, library, *exported, options);
}

std::vector<std::string> forms() {
  std::vector<std::string> names = {std::string(kThoughts), std::string(kWot), std::string(kHtml),
                                    std::string(kMarkdown), std::string(kAgentTrace)};
  for (const std::string_view form : formats::all_forms()) names.emplace_back(form);
  return names;
}

std::string as_what() {
  std::string help = "Output form:";
  for (const std::string& form : forms()) help += (form == kThoughts ? " " : ", ") + form;
  return help;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "Conversation to export", {.required = true});
  arguments.add("--as", options->as, as_what(),
                {.value = "FORM", .required = true, .one_of = forms()});
  arguments.flag("--open", options->open,
                 "With --as thoughts: open every layer that the keyring can open");
  arguments.flag(
      "--with-subagents", options->with_subagents,
      "With --as thoughts, html or markdown: include the subagents that the conversation spawned");
  arguments.flag("--thinking", options->thinking,
                 "With --as html or markdown: include the reasoning that the keyring opens");
  arguments.flag("--mask", options->mask,
                 "Put [secret RULE #NAME] in place of secrets; documents are always masked");
  arguments.add("--repo", options->repository,
                "With --as agent-trace: the repository (default: that of each file)",
                {.value = "DIR"});
  arguments.add("--upto", options->upto, "Export up to and including this thought",
                {.value = "CID"});
  arguments.add("--branch", options->branch,
                "Export the branch that ends at this turn (default: the newest)",
                {.value = "LEAF"});
  arguments.add("--out", options->out, "Write to this file (default: stdout)", {.value = "FILE"});
  arguments.flag("--force", options->force, "With --out: overwrite an existing file");
  return [options](Context& context) { return export_conversation(context, *options); };
}

}  // namespace

const Command& export_command() {
  static const Command command = {
      .name = "export",
      .group = Group::transfer,
      .summary = "write a conversation as thoughts, transcript or API request",
      .about =
          "Writes a conversation in one of seven kinds of output. `thoughts`: JSON lines with\n"
          "everything needed to verify it (identities, schemas, connections, checkpoints), sealed\n"
          "as stored; verifying needs no key. `wot`: the same for peers of the Web of Thought,\n"
          "with plain signatures. `anthropic-transcript`: a transcript, with the\n"
          "reasoning that the keyring opens. `html`: one file that any browser opens, offline, "
          "with\n"
          "the reader and a button that checks every signature. `markdown`: a document. Both are\n"
          "for handing on: secrets masked, and without reasoning unless --thinking is given.\n"
          "`agent-trace`: for each commit that holds lines of it, which lines these are (Agent\n"
          "Trace 0.1, JSON lines). The other forms are API requests that continue the\n"
          "conversation: signed reasoning is kept unchanged, calls are paired with their results,\n"
          "and blocks that the API would refuse are left out and listed on stderr. An existing\n"
          "file is overwritten only with --force; otherwise the exit code is 1. Subagents are\n"
          "conversations of their own; they are counted on stderr, or included\n"
          "with --with-subagents.",
      .examples =
          "weft export 3f2a91c0 --as thoughts > thoughts.jsonl\n"
          "weft export 3f2a91c0 --as thoughts --with-subagents --out thoughts.jsonl\n"
          "weft export 3f2a91c0 --as thoughts --open --out opened.jsonl\n"
          "weft export 3f2a91c0 --as html --with-subagents --out talk.html\n"
          "weft export 3f2a91c0 --as markdown --out talk.md\n"
          "weft export 3f2a91c0 --as agent-trace >> .agent-trace/traces.jsonl\n"
          "weft export 3f2a91c0 --as anthropic-transcript > talk.txt\n"
          "weft export 3f2a91c0 --as anthropic-messages --upto 9c41d7e2 --out request.json",
      .see_also = "weft prove, weft import, weft transcript, weft verify",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
