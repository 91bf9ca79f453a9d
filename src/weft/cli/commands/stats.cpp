// weft stats: counts thoughts, tokens, tool calls and time spent.
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

std::string to_day_table(const json::object& answer, const Style& style) {
  Table table({{.title = "day"},
               {.title = "turns", .align = Align::right},
               {.title = "blocks", .align = Align::right},
               {.title = "tool calls", .align = Align::right},
               {.title = "thinking", .align = Align::right},
               {.title = "answering", .align = Align::right},
               {.title = "tools", .align = Align::right},
               {.title = "waiting", .align = Align::right}});
  for (const json::value& value : *find_array(answer, "days")) {
    const json::object& day = value.as_object();
    table.add({std::string(find_string(day, "day").value_or("")),
               count(count_or_zero(day, "turn_count")), count(count_or_zero(day, "block_count")),
               count(count_or_zero(day, "tool_calls")), time_or_unknown(day, "thinking_ms"),
               time_or_unknown(day, "response_ms"), time_or_unknown(day, "tool_ms"),
               time_or_unknown(day, "waiting_ms")});
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
  add("size", "conversations", count(count_or_zero(answer, "conversations")));
  add("", "turns", count(count_or_zero(answer, "turn_count")));
  add("time", "thinking", time("thinking_ms"));
  add("", "answering", time("response_ms"));
  add("", "tools", time("tool_ms"));
  add("", "waiting for a person", time("waiting_ms"));
  add("tools", "calls", count(count_or_zero(answer, "tool_calls")));
  add("", "errors", count(count_or_zero(answer, "tool_errors")));
  if (const json::object* tokens = find_object(answer, "tokens")) {
    add("tokens", "input", count(count_or_zero(*tokens, "input")));
    add("", "output", count(count_or_zero(*tokens, "output")));
    add("", "read from cache", count(count_or_zero(*tokens, "cache_read")));
    add("", "written to cache", count(count_or_zero(*tokens, "cache_write")));
    add("", "estimated, where no count was recorded", count(count_or_zero(*tokens, "estimated")));
  }
  add_counts(table, answer, "by_type", "blocks by type");
  add_counts(table, answer, "by_tool", "calls by tool");
  add_counts(table, answer, "by_model", "blocks by model");
  return table.str(style);
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
  if (is_by_day) context.note("days of " + by_day.zone);
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
