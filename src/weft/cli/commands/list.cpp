// weft list: lists the conversations in the store.
#include <filesystem>
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

struct Options {
  query::ListOptions list;
  std::optional<std::uint64_t> limit;
  std::string since;
  bool here = false, all = false, subagents = false;
};

constexpr std::uint64_t kRows = 30;
// Narrower pages have no room for seconds and figures beside a title.
constexpr std::size_t kWide = 100;
// Longer names of projects are cut there, for the sake of the titles.
constexpr std::size_t kNarrowProject = 14;

// The last part of a path, by which people know a project.
std::string_view last_part(std::string_view project) {
  while (project.size() > 1 && project.ends_with('/')) project.remove_suffix(1);
  const std::size_t slash = project.rfind('/');
  return slash == std::string_view::npos ? project : project.substr(slash + 1);
}

// A session with its subagents in one row.
void print_table(const Context& context, const json::object& answer) {
  const bool is_wide = context.style().width >= kWide;
  std::vector<Column> columns = {
      {.title = "session", .colour = Colour::cyan, .link_to = Screen::conversation},
      {.title = "last change"},
      {.title = "project", .flexible = true}};
  if (is_wide) columns.push_back({.title = "turns", .align = Align::right});
  columns.push_back({.title = "title", .flexible = true});
  Table table(std::move(columns));
  const json::array* conversations = find_array(answer, "conversations");
  const std::uint64_t total = count_or_zero(answer, "total");
  if (conversations == nullptr || conversations->empty()) {
    if (find_array(answer, "notes") != nullptr) {
      context.note("no conversations match");
      print_notes(context, answer);
    } else {
      context.note(total == 0 ? "no conversations; ingest one with: weft ingest FILE"
                              : "no more conversations after the first " + count(total));
    }
    return;
  }
  for (const json::value& value : *conversations) {
    const json::object& row = value.as_object();
    const std::uint64_t subagents = count_or_zero(row, "subagents");
    const std::string below = subagents == 0 ? "" : "(+" + count(subagents, "subagent") + ") ";
    const std::string time = local_date_time(find_int(row, "updated_at").value_or(0));
    std::vector<std::string> cells = {
        brief(find_string(row, "cid").value_or("")),
        is_wide ? time : time.substr(0, std::string_view("2026-02-01 14:42").size()),
        fitted(first_words(last_part(find_string(row, "project").value_or(""))),
               is_wide ? Style::kUnlimited : kNarrowProject)};
    if (is_wide) cells.push_back(count(count_or_zero(row, "turn_count")));
    cells.push_back(std::string(foreign_sign(row)) + below +
                    first_words(find_string(row, "title").value_or("(untitled)")));
    table.add(std::move(cells));
  }
  context.print(table.str(context.style()));
  if (conversations->size() < total) {
    context.note(count(conversations->size()) + " of " + count(total, "session") +
                 "; --all lists every one");
  }
  print_notes(context, answer);
}

Answer list(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  query::ListOptions question = options.list;
  question.clock = machine_clock();
  question.since = parse_moment(options.since, Bound::since, question.clock);
  if (options.limit) question.limit = *options.limit;
  // Programs get everything; a person gets a page, and a session with its subagents as one row.
  if (!context.json()) {
    if (!options.limit && !options.all) question.limit = kRows;
    question.fold = !options.subagents;
  }
  if (options.here) {
    std::error_code error;
    question.directory = std::filesystem::current_path(error).string();
    if (error) {
      return refuse({ErrorCode::unavailable, "the current directory: " + error.message()});
    }
  }
  const query::PinnedLibrary library = opened->snapshot();
  Result<json::object> answer = query::list(library, question);
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*std::move(answer));
  } else {
    print_table(context, *answer);
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("--project", options->list.project,
                "Only conversations of this project: its name, or any part of it", {.value = "P"});
  arguments.flag("--here", options->here,
                 "Only conversations in the current directory, or below it");
  arguments.add("--format", options->list.format, "Only conversations of this format",
                {.value = "F"});
  arguments.add("--since", options->since,
                "Only conversations changed at or after this time: 2026-10-01, yesterday, 2w…",
                {.value = "T", .check = check_time});
  arguments.add("--limit", options->limit,
                "Maximum number of results (default: 30; with --json all)", {.value = "N"});
  arguments.flag("--all", options->all, "List every session");
  arguments.add("--offset", options->list.offset, "Number of results to skip (default: 0)",
                {.value = "N"});
  arguments.add("--title", options->list.title, "Only conversations with this text in their title",
                {.value = "TEXT"});
  arguments.add("--cursor", options->list.cursor, "Continue after an earlier list: its next_cursor",
                {.value = "C"});
  arguments.flag("--fold", options->list.fold,
                 "With --json: count subagents under the conversation they serve");
  arguments.flag("--subagents", options->subagents, "List subagents in rows of their own");
  arguments.flag("--internal", options->list.internal,
                 "Also list helper agents that a tool runs for itself, such as compaction agents");
  return [options](Context& context) { return list(context, *options); };
}

}  // namespace

const Command& list_command() {
  static const Command command = {
      .name = "list",
      .group = Group::ask,
      .summary = "list the conversations",
      .about =
          "Lists the sessions in the store, the most recently changed first, each with its\n"
          "subagents in one row. A session without a title is listed by its first words. The "
          "first\n"
          "row is @1, also called last, wherever a command takes a conversation.",
      .examples =
          "weft list\n"
          "weft list --since yesterday\n"
          "weft list --since 2026-10-01 --limit 20\n"
          "weft list --here --all\n"
          "weft list --title ferry --project loom\n"
          "weft list --json | jq -r '.conversations[].cid'",
      .see_also = "weft read, weft walk, weft stats",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
