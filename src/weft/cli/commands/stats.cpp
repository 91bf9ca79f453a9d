// weft stats: counts thoughts, tokens, tool calls and time spent.
#include <algorithm>
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

std::string to_table(const json::object& answer, const Style& style) {
  Table table({{.colour = Colour::bold}, {.flexible = true}, {.align = Align::right}});
  const auto add = [&](std::string title, std::string name, std::string figure) {
    table.add({std::move(title), std::move(name), std::move(figure)});
  };
  const auto time = [&](std::string_view key) {
    return duration(static_cast<std::int64_t>(count_or_zero(answer, key)));
  };
  add("size", "conversations", count(count_or_zero(answer, "conversations")));
  add("", "turns", count(count_or_zero(answer, "turn_count")));
  add("time", "thinking", time("thinking_ms"));
  add("", "answering", time("response_ms"));
  add("", "tools", time("tool_ms"));
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
  Result<json::object> answer = query::stats(library, one);
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
  } else {
    context.print(to_table(*answer, context.style()));
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "A conversation (default: all)");
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
          "thinking, answering and running tools: for one conversation, or for all.",
      .examples =
          "weft stats\n"
          "weft stats 3f2a91c0\n"
          "weft stats --json | jq .by_tool",
      .see_also = "weft list, weft walk",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
