// weft list: lists the conversations in the store.
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
  std::string since;
};

void print_table(const Context& context, const json::object& answer) {
  Table table({{.title = "conversation", .colour = Colour::cyan},
               {.title = "last change"},
               {.title = "turns", .align = Align::right},
               {.title = "thoughts", .align = Align::right},
               {.title = "format"},
               {.title = "title", .flexible = true}});
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
    const std::string below = subagents == 0 ? "" : " (+" + count(subagents, "subagent") + ")";
    table.add({brief(find_string(row, "cid").value_or("")),
               local_date_time(find_int(row, "updated_at").value_or(0)),
               count(count_or_zero(row, "turn_count")), count(count_or_zero(row, "thought_count")),
               on_one_line(find_string(row, "format").value_or("")),
               std::string(foreign_sign(row)) +
                   first_words(find_string(row, "title").value_or("(untitled)")) + below});
  }
  context.print(table.str(context.style()));
  if (conversations->size() < total) {
    context.note(count(conversations->size()) + " of " + count(total, "conversation"));
  }
  print_notes(context, answer);
}

Answer list(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  query::ListOptions question = options.list;
  question.clock = machine_clock();
  question.since = parse_moment(options.since, Bound::since, question.clock);
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
  arguments.add("--project", options->list.project, "Only conversations of this project",
                {.value = "P"});
  arguments.add("--format", options->list.format, "Only conversations of this format",
                {.value = "F"});
  arguments.add("--since", options->since,
                "Only conversations changed at or after this time: 2026-10-01, yesterday, 2w…",
                {.value = "T", .check = check_time});
  arguments.add("--limit", options->list.limit, "Maximum number of results (default: all)",
                {.value = "N"});
  arguments.add("--offset", options->list.offset, "Number of results to skip (default: 0)",
                {.value = "N"});
  arguments.add("--title", options->list.title, "Only conversations with this text in their title",
                {.value = "TEXT"});
  arguments.add("--cursor", options->list.cursor, "Continue after an earlier list: its next_cursor",
                {.value = "C"});
  arguments.flag("--fold", options->list.fold, "Count subagents under the conversation they serve");
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
          "Lists the conversations in the store, the most recently changed first. A conversation\n"
          "without a title is listed by its first words.",
      .examples =
          "weft list\n"
          "weft list --since yesterday\n"
          "weft list --since 2026-10-01 --limit 20\n"
          "weft list --title ferry --fold\n"
          "weft list --json | jq -r '.conversations[].cid'",
      .see_also = "weft walk, weft stats, weft transcript",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
