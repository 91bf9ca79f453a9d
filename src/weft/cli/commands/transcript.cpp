// weft transcript: a conversation as it reads when it scrolls by.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "weft/cli/command.hpp"
#include "weft/cli/figures.hpp"
#include "weft/cli/text.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/query/rebuild.hpp"
#include "weft/transcript/entry.hpp"

namespace weft::cli {
namespace {

using transcript::EntryRole;
using transcript::TranscriptEntry;

struct Options {
  std::string conversation;
  std::optional<std::string> role, source;
  std::optional<std::uint64_t> latest;
  std::string format = "text";
};

// The conversation, and those of its subagents if it is a session's main one.
Result<std::vector<store::ConversationRow>> sources_of(const query::Library& library,
                                                       const store::ConversationRow& row) {
  if (row.source != "primary") return std::vector{row};
  return library.store.conversations({.format = row.format, .session_id = row.session_id});
}

// Several sources in one stream, by time; each stays in its own order.
std::vector<TranscriptEntry> merged(std::vector<std::vector<TranscriptEntry>> sources) {
  std::vector<TranscriptEntry> out;
  std::vector<std::size_t> next(sources.size());
  for (;;) {
    std::size_t first = sources.size();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (next[i] == sources[i].size()) continue;
      if (first == sources.size() ||
          sources[i][next[i]].created_at < sources[first][next[first]].created_at) {
        first = i;
      }
    }
    if (first == sources.size()) return out;
    out.push_back(std::move(sources[first][next[first]++]));
  }
}

bool is_wanted(const TranscriptEntry& entry, const Options& options) {
  // A person's words have the role `user` here and are a human's everywhere else.
  const auto role = options.role == "human" ? std::optional<std::string>("user") : options.role;
  return !role || to_string(entry.role) == *role;
}

Result<std::vector<TranscriptEntry>> entries(const query::Library& library,
                                             const store::ConversationRow& row,
                                             const Options& options) {
  Result<std::vector<store::ConversationRow>> rows = sources_of(library, row);
  if (!rows) return fail(std::move(rows).error());
  std::vector<std::vector<TranscriptEntry>> sources;
  for (const store::ConversationRow& source : *rows) {
    if (options.source && source.source != *options.source) continue;
    Result<transcript::Conversation> conversation = query::rebuild(library, source);
    if (!conversation) return fail(std::move(conversation).error());
    sources.push_back(transcript::entries_of(*conversation, crypto::blake3));
  }
  std::vector<TranscriptEntry> all = merged(std::move(sources));
  std::erase_if(all, [&](const TranscriptEntry& entry) { return !is_wanted(entry, options); });
  if (options.latest && *options.latest < all.size()) {
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(*options.latest));
  }
  return all;
}

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

std::string thinking_of(const TranscriptEntry& entry) {
  const json::object* thinking = find_object(entry.metadata, "thinking");
  if (thinking == nullptr) return "";
  const auto ms = find_int(*thinking, "duration_ms");
  return ms ? fmt::format(" (thought for {})", duration(*ms)) : " (thought)";
}

void print_text(const Context& context, const TranscriptEntry& entry, const Style& style) {
  const std::string source =
      entry.source == "primary" ? "" : fmt::format("[{}] ", on_one_line(entry.source));
  const std::string heading = fmt::format("{}[{}] {}{}", source, local_time(entry.created_at),
                                          heading_of(entry), thinking_of(entry));
  context.print(style.paint(Colour::bold, heading) + "\n" + made_safe(entry.content) + "\n\n");
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
  context.print(fmt::format("## {}{} · {}{}\n\n{}\n\n", heading_of(entry), thinking_of(entry),
                            local_date_time(entry.created_at), source,
                            entry.tool_name ? fenced(text) : text));
}

Answer print_transcript(const Context& context, const Options& options) {
  Asked<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::Library library = opened->library();
  Asked<store::ConversationRow> row = conversation_called(library, options.conversation);
  if (!row) return refuse(std::move(row));
  Result<std::vector<TranscriptEntry>> all = entries(library, *row, options);
  if (!all) return refuse(std::move(all).error());
  if (context.json()) {
    json::array records;
    for (const TranscriptEntry& entry : *all) records.push_back(to_json(entry));
    context.print_json(records);
    return Exit::done;
  }
  for (const TranscriptEntry& entry : *all) {
    if (options.format == "jsonl") {
      write_json(context.out(), to_json(entry), Layout::compact);
    } else if (options.format == "markdown") {
      print_markdown(context, entry);
    } else {
      print_text(context, entry, context.style());
    }
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "The conversation", {.required = true});
  arguments.add("--role", options->role, "Entries of this role alone",
                {.one_of = {"system", "user", "human", "assistant", "tool"}});
  arguments.add("--source", options->source, "Of this source alone: primary, subagent:ID",
                {.value = "S"});
  arguments.add("--latest", options->latest, "The last so many", {.value = "N"});
  arguments.add("--format", options->format, "How: text (usual), jsonl or markdown",
                {.one_of = {"text", "jsonl", "markdown"}});
  return [options](Context& context) { return print_transcript(context, *options); };
}

}  // namespace

const Command& transcript_command() {
  static const Command command = {
      .name = "transcript",
      .group = Group::ask,
      .summary = "a conversation as it reads",
      .about =
          "Prints a conversation for reading: one entry for each message, tool call and tool\n"
          "result, with the time and who spoke. Reasoning is not shown, only that there was\n"
          "some and how long it took. With --json or jsonl: TranscriptEntry records.",
      .examples =
          "weft transcript 3f2a91c0\n"
          "weft transcript 3f2a91c0 --role assistant --latest 3\n"
          "weft transcript 3f2a91c0 --format markdown > talk.md",
      .see_also = "weft walk, weft export",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
