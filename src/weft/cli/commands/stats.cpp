// weft stats: counts thoughts, tokens, tool calls and time spent.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <vector>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string conversation;
  std::string by;
};

// The largest first.
void add_counts(Table& table, const json::object& answer, std::string_view member,
                std::string_view title) {
  const json::object* counts = find_object(answer, member);
  if (counts == nullptr || counts->empty()) return;
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& entry : *counts) {
    rows.emplace_back(count_or_zero(*counts, entry.key()),
                      on_one_line(std::string_view(entry.key())));
  }
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return std::pair(b.first, a.second) < std::pair(a.first, b.second);
  });
  table.add({"", "", ""});
  for (const auto& [how_many, name] : rows) {
    table.add({std::string(title), name, count(how_many)});
    title = "";
  }
}

// A time that no block states is unknown.
std::string time_or_unknown(const json::object& answer, std::string_view key) {
  const auto ms = find_int(answer, key);
  return ms ? duration(*ms) : "unknown";
}

// "15h29m", "12m", "45s"; "?" if no block states it.
std::string brief_time(const json::object& day, std::string_view key) {
  const auto ms = find_int(day, key);
  if (!ms) return "?";
  const std::int64_t minutes = *ms / 60'000;
  if (minutes == 0) return fmt::format("{}s", *ms / 1'000);
  if (minutes < 60) return fmt::format("{}m", minutes);
  return fmt::format("{}h{:02}m", minutes / 60, minutes % 60);
}

// Pages narrower than this have no room for the counts of turns and blocks.
constexpr std::size_t kWide = 76;

std::string to_day_table(const json::object& answer, const Style& style) {
  const bool is_wide = style.width >= kWide;
  std::vector<Column> columns = {{.title = "day"}};
  const auto add = [&](const char* title) {
    columns.push_back({.title = title, .align = Align::right});
  };
  if (is_wide) add("turns");
  if (is_wide) add("blocks");
  for (const char* title : {"tool calls", "thinking", "answering", "tools", "waiting"}) add(title);
  Table table(std::move(columns));
  for (const json::value& value : *find_array(answer, "days")) {
    const json::object& day = value.as_object();
    std::vector<std::string> cells = {std::string(find_string(day, "day").value_or(""))};
    if (is_wide) cells.push_back(count(count_or_zero(day, "turn_count")));
    if (is_wide) cells.push_back(count(count_or_zero(day, "block_count")));
    cells.push_back(count(count_or_zero(day, "tool_calls")));
    for (const char* member : {"thinking_ms", "response_ms", "tool_ms", "waiting_ms"}) {
      cells.push_back(brief_time(day, member));
    }
    table.add(std::move(cells));
  }
  return table.str(style);
}

// The machine's zone: its name, and how far its clocks are ahead of UTC.
std::tm local_time(Millis utc) {
  const std::time_t seconds = utc / 1000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return local;
}
query::ActivityOptions in_local_zone() {
  query::ActivityOptions options;
  const char* const name = local_time(std::time(nullptr) * Millis{1000}).tm_zone;
  options.zone = name == nullptr ? "UTC" : name;
  options.offset = [](Millis utc) { return Millis{local_time(utc).tm_gmtoff} * 1000; };
  return options;
}

std::string to_table(const json::object& answer, const Style& style) {
  Table table({{.colour = Colour::bold}, {.flexible = true}, {.align = Align::right}});
  const auto add = [&](std::string title, std::string name, std::string figure) {
    table.add({std::move(title), std::move(name), std::move(figure)});
  };
  const auto time = [&](std::string_view key) { return time_or_unknown(answer, key); };
  const auto number = [&](std::string_view key) { return count(count_or_zero(answer, key)); };
  add("size", "conversations, subagents included", number("conversations"));
  add("", "turns: what one side said or did at a time", number("turn_count"));
  add("time", "the model thought", time("thinking_ms"));
  add("", "the model answered", time("response_ms"));
  add("", "tools ran, from call to result", time("tool_ms"));
  add("", "tools waited for a person", time("waiting_ms"));
  add("tool calls", "all", number("tool_calls"));
  add("", "failed", number("tool_errors"));
  if (const json::object* tokens = find_object(answer, "tokens")) {
    const auto sum = [&](std::string_view key) { return count(count_or_zero(*tokens, key)); };
    add("tokens", "input that no cache held", sum("input"));
    add("", "input read from a cache", sum("cache_read"));
    add("", "input written to a cache", sum("cache_write"));
    add("", "output, reasoning included", sum("output"));
    add("", "estimated, where no count was recorded", sum("estimated"));
  }
  add_counts(table, answer, "by_type", "blocks by type");
  add_counts(table, answer, "by_tool", "calls by tool");
  add_counts(table, answer, "by_model", "blocks by model");
  return table.str(style);
}

// What the columns of the table by day mean.
void explain_days(const Context& context, const std::string& zone) {
  context.note(
      "thinking, answering: time of the model; tools: from call to result; waiting: calls "
      "that asked a person; ?: not recorded");
  context.note("days of " + zone);
}

Answer stats(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  std::optional<store::ConversationRow> one;
  if (!options.conversation.empty()) {
    Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
    if (!row) return refuse(std::move(row));
    one = *std::move(row);
  }
  const bool is_by_day = options.by == "day";
  query::ActivityOptions by_day = in_local_zone();
  by_day.conversation = one;
  Result<json::object> answer =
      is_by_day ? query::activity(library, by_day) : query::stats(library, one);
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*std::move(answer));
    return Exit::done;
  }
  context.print(is_by_day ? to_day_table(*answer, context.style())
                          : to_table(*answer, context.style()));
  if (is_by_day) explain_days(context, by_day.zone);
  print_notes(context, *answer);
  return Exit::done;
}

std::string check_by(const std::string& text) {
  return text == "day" ? "" : "only day is known, not " + text;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "A conversation (default: all)");
  arguments.add("--by", options->by, "One row for each day of the local zone: day",
                {.value = "day", .check = check_by});
  return [options](Context& context) { return stats(context, *options); };
}

}  // namespace

const Command& stats_command() {
  static const Command command = {
      .name = "stats",
      .group = Group::ask,
      .summary = "count turns, blocks, tokens and time spent",
      .about =
          "Counts turns, blocks by type, tool calls and tokens, and adds up the time spent on\n"
          "thinking, answering, running tools and waiting for a person: for one conversation, or\n"
          "for all. Over several conversations, what a fork copied counts once.",
      .examples =
          "weft stats\n"
          "weft stats 3f2a91c0\n"
          "weft stats --by day\n"
          "weft stats --json | jq .by_tool",
      .see_also = "weft list, weft walk",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
