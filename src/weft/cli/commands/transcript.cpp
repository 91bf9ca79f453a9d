// weft transcript: prints a conversation for reading.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/app/signals.hpp"
#include "weft/cli/follow/own_ingest.hpp"
#include "weft/cli/follow/print_live_session.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/markdown_text.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/transcript/entries.hpp"

namespace weft::cli {
namespace {

using transcript::EntryRole;
using transcript::TranscriptEntry;

struct Options {
  std::string conversation;
  query::EntriesOptions entries;
  std::string since;
  std::string format = "text";
  bool follow = false;
};

std::string heading_of(const TranscriptEntry& entry) {
  if (entry.tool_name) {
    const bool call = entry.role == EntryRole::assistant;
    const bool failed = find_bool(entry.metadata, "is_error").value_or(false);
    return fmt::format("🔧 {}{}", entry.tool_name->empty() ? "tool" : on_one_line(*entry.tool_name),
                       call     ? ""
                       : failed ? " failed"
                                : " answered");
  }
  switch (entry.role) {
    case EntryRole::system: return "⚙️ SYSTEM";
    case EntryRole::user: return "👤 USER";
    case EntryRole::assistant: return "🤖 ASSISTANT";
    case EntryRole::tool: return "🔧 tool";
  }
  return "•";
}

bool is_failed(const TranscriptEntry& entry) {
  return find_bool(entry.metadata, "is_error").value_or(false) ||
         find_string(entry.metadata, "kind") == "failure";
}

// The label of an entry; tool calls and results are printed faintly.
Colour colour_of(const TranscriptEntry& entry) {
  if (is_failed(entry)) return Colour::red;
  if (entry.tool_name) return Colour::faint;
  switch (entry.role) {
    case EntryRole::system: return Colour::yellow;
    case EntryRole::user: return Colour::green;
    case EntryRole::assistant: return Colour::cyan;
    case EntryRole::tool: return Colour::faint;
  }
  return Colour::none;
}

// The suffix of an entry printed after the entry it belongs to.
std::string_view relation_of(const TranscriptEntry& entry) {
  if (entry.metadata.contains("continues")) return " (continued)";
  if (entry.metadata.contains("supersedes")) return " (replaces the previous one)";
  return "";
}

std::string thinking_of(const TranscriptEntry& entry) {
  const json::object* thinking = find_object(entry.metadata, "thinking");
  if (thinking == nullptr) return "";
  const auto ms = find_int(*thinking, "duration_ms");
  return ms ? fmt::format(" (thought for {})", duration(*ms)) : " (thought)";
}

void print_text(const Context& context, const TranscriptEntry& entry, const Style& style) {
  const std::string source =
      entry.source == "primary" ? "" : fmt::format("[{}] ", on_one_line(entry.source));
  const std::string heading = fmt::format("{}{}[{}] {}{}{}", foreign_sign(entry.metadata), source,
                                          local_time(entry.created_at), heading_of(entry),
                                          thinking_of(entry), relation_of(entry));
  const Colour colour = colour_of(entry);
  const bool is_quiet = colour == Colour::faint || colour == Colour::red;
  context.print(
      style.paint(colour, heading) + "\n" +
      style.paint(is_quiet ? colour : Colour::none, made_safe(without_colours(entry.content))) +
      "\n\n");
}

// A fence longer than any run of backticks in it.
std::string fenced(const std::string& text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence;
}

void print_markdown(const Context& context, const TranscriptEntry& entry) {
  const std::string source =
      entry.source == "primary" ? "" : fmt::format(" · {}", on_one_line(entry.source));
  const std::string text = made_safe(entry.content);
  context.print(fmt::format("## {}{}{} · {}{}\n\n{}\n\n", foreign_sign(entry.metadata),
                            heading_of(entry), thinking_of(entry),
                            local_date_time(entry.created_at), source,
                            entry.tool_name ? fenced(text) : as_markdown_text(text)));
}

void print_entry(const Context& context, const std::string& format, const TranscriptEntry& entry) {
  if (format == "jsonl") {
    context.print_json_line(to_json(entry));
  } else if (format == "markdown") {
    print_markdown(context, entry);
  } else {
    print_text(context, entry, context.style());
  }
}

Answer print_transcript(const Context& context, const Options& options) {
  query::EntriesOptions wanted = options.entries;
  wanted.since = parse_moment(options.since, Bound::since, machine_clock());
  if (options.follow) {
    const int stop = catch_signals();
    Outcome<OwnIngest> own = OwnIngest::begin(context);
    if (!own) return refuse(std::move(own));
    // One record a line: a followed document has no end at which it could be closed.
    const std::string format = context.json() ? "jsonl" : options.format;
    return follow(context, own->opened(), options.conversation, wanted, stop,
                  [&](const TranscriptEntry& entry) { print_entry(context, format, entry); });
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<query::Standing> standing = standing_called(library, options.conversation);
  if (!standing) return refuse(std::move(standing));
  if (standing->block) {
    const Result<json::object> where = query::describe_standing(library, *standing);
    if (!where) return refuse(where.error());
    print_standing(context, *where);
    // Entries have no CIDs: the thought's own time says where its entry begins.
    const Result<json::object> thought = query::get(library, *standing->block, query::Layers::open);
    if (!thought) return refuse(thought.error());
    const Millis time = find_int(*thought, "created_at").value_or(0);
    wanted.since = std::max(wanted.since.value_or(time), time);
  }
  Result<std::vector<TranscriptEntry>> all =
      query::entries(library, standing->conversation, wanted);
  if (!all) return refuse(std::move(all).error());
  if (context.json()) {
    json::array records;
    for (const TranscriptEntry& entry : *all) records.push_back(to_json(entry));
    context.print_json(records);
    return Exit::done;
  }
  for (const TranscriptEntry& entry : *all) print_entry(context, options.format, entry);
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "The conversation, or a thought to begin at",
                {.required = true});
  arguments.add("--role", options->entries.role, "Only entries of this role",
                {.one_of = {"system", "user", "human", "assistant", "tool"}});
  arguments.add("--source", options->entries.source, "Only this source: primary, or subagent:ID",
                {.value = "S"});
  arguments.add("--latest", options->entries.latest, "Only the last N entries", {.value = "N"});
  arguments.add("--since", options->since,
                "Only at or after this time: 2026-10-01, 10:30, yesterday, 2w…",
                {.value = "T", .check = check_time});
  arguments.flag("--follow", options->follow,
                 "Keep printing new entries as the session grows, until Ctrl-C");
  arguments.add("--format", options->format, "Output format: text (default), jsonl or markdown",
                {.one_of = {"text", "jsonl", "markdown"}});
  return [options](Context& context) { return print_transcript(context, *options); };
}

}  // namespace

const Command& transcript_command() {
  static const Command command = {
      .name = "transcript",
      .group = Group::ask,
      .summary = "print a conversation for reading",
      .about =
          "Prints a conversation for reading: one entry for each message, tool call and tool\n"
          "result, with its time and speaker. Reasoning is not printed, only that there was some\n"
          "and how long it took. With --json or --format jsonl: TranscriptEntry records. With\n"
          "--follow, what its tool writes is ingested and printed as it arrives, and a session "
          "that\n"
          "does not exist yet is waited for; with --json, one record a line.",
      .examples =
          "weft transcript 3f2a91c0\n"
          "weft transcript 3f2a91c0 --role assistant --latest 3\n"
          "weft transcript 3f2a91c0 --follow --latest 5\n"
          "weft transcript 3f2a91c0 --format markdown > talk.md",
      .see_also = "weft walk, weft export",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
