// weft cost: tokens and dollars by day, model, project, session or prompt.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "weft/base/typed/moment.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/cost/cost.hpp"
#include "weft/query/cost/load_prices.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string by = "day", since, until, like, conversation;
  bool statusline = false;
};

// "12.34", "?" where no price is known, "12.34 + ?" where some is not.
std::string dollars(const json::object& sum) {
  const json::value* cost = find_member(sum, "cost");
  const bool is_partial =
      count_or_zero(sum, "unpriced_requests") > 0 || count_or_zero(sum, "unknown_sessions") > 0;
  if (cost == nullptr || !cost->is_number()) return "?";
  return fmt::format("{:.2f}{}", cost->to_number<double>(), is_partial ? " + ?" : "");
}

// "6,999,611", or where there is little room "7.0M".
std::string tokens(std::uint64_t number, bool is_narrow) {
  if (!is_narrow || number < 10'000) return count(number);
  constexpr std::array<std::string_view, 3> kUnits = {"k", "M", "G"};
  double shown = static_cast<double>(number) / 1000;
  std::size_t unit = 0;
  while (shown >= 999.5 && unit + 1 < kUnits.size()) {
    shown /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f}{}", shown, shown < 9.95 ? 1 : 0, kUnits[unit]);
}

// Pages narrower than this have short figures, and no room for the number of requests.
constexpr std::size_t kWide = 100;

void add_row(Table& table, std::string name, const json::object& sum, bool is_narrow) {
  const std::uint64_t written =
      count_or_zero(sum, "cache_write_5m") + count_or_zero(sum, "cache_write_1h");
  std::vector<std::string> cells = {std::move(name)};
  if (!is_narrow) cells.push_back(count(count_or_zero(sum, "requests")));
  for (const std::uint64_t figure : {count_or_zero(sum, "input"), count_or_zero(sum, "output"),
                                     count_or_zero(sum, "cache_read"), written}) {
    cells.push_back(tokens(figure, is_narrow));
  }
  cells.push_back(dollars(sum));
  table.add(std::move(cells));
}

// What people know a row by.
std::string name_of(const json::object& row) {
  for (const std::string_view member : {"title", "text", "key"}) {
    if (const auto text = find_string(row, member); text && !text->empty()) {
      return on_one_line(*text);
    }
  }
  return "unknown";
}

std::string to_table(const json::object& answer, const Style& style) {
  const bool is_narrow = style.width < kWide;
  std::vector<Column> columns = {
      {.title = std::string(find_string(answer, "by").value_or("")), .flexible = true}};
  if (!is_narrow) columns.push_back({.title = "requests", .align = Align::right});
  for (const char* title : {"input", "output", is_narrow ? "cached" : "cache read",
                            is_narrow ? "written" : "cache write", "dollars"}) {
    columns.push_back({.title = title, .align = Align::right});
  }
  Table table(std::move(columns));
  if (const json::array* rows = find_array(answer, "rows")) {
    for (const json::value& row : *rows)
      add_row(table, name_of(row.get_object()), row.get_object(), is_narrow);
  }
  if (const json::object* total = find_object(answer, "total")) {
    add_row(table, "total", *total, is_narrow);
  }
  return table.str(style);
}

void print_remarks(const Context& context, const json::object& answer) {
  if (const json::array* unpriced = find_array(answer, "unpriced")) {
    constexpr std::size_t kNamed = 3;
    for (std::size_t i = 0; i < std::min(kNamed, unpriced->size()); ++i) {
      const json::object& model = (*unpriced)[i].get_object();
      context.note(fmt::format("no price for {}: {} in {}; weft prices shows how to add one",
                               find_string(model, "model").value_or("requests without a model"),
                               count(count_or_zero(model, "tokens"), "token"),
                               count(count_or_zero(model, "requests"), "request")));
    }
    if (unpriced->size() > kNamed) {
      context.note("no price for " + count(unpriced->size() - kNamed, "more model") +
                   " (--json lists them)");
    }
  }
  print_notes(context, answer);
  const json::object* prices = find_object(answer, "prices");
  context.note(fmt::format("API-equivalent prices {}; days of {}",
                           find_string(*prices, "hash").value_or("").substr(0, 23),
                           find_string(answer, "zone").value_or("UTC")));
}

// What Claude Code writes to the stdin of a status line: an object with `session_id`, at most so
// long.
std::string session_on_stdin() {
  constexpr std::size_t kLongest = 1 << 20;
  std::string text(kLongest, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  const Result<ParsedJson> parsed = parse_json(text);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  return std::string(object == nullptr ? "" : find_string(*object, "session_id").value_or(""));
}

// One line for the foot of an agent: what this session cost, and what today did. It is asked every
// second, and must not fail an agent: what is not known is left out.
Answer print_statusline(const Context& context, const query::PriceTable& prices,
                        const std::string& named) {
  const std::string session = named.empty() && !is_terminal(stdin) ? session_on_stdin() : named;
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) {
    context.print("weft: no store yet\n");
    return Exit::done;
  }
  const query::PinnedLibrary library = opened->snapshot();
  std::string line;
  const auto add = [&](const query::CostOptions& question, std::string_view what) {
    const Result<json::object> answer = query::cost(library, prices, question);
    const json::object* total = answer ? find_object(*answer, "total") : nullptr;
    const json::value* cost = total == nullptr ? nullptr : find_member(*total, "cost");
    if (cost == nullptr || !cost->is_number()) return;
    line += fmt::format("{}${} {}", line.empty() ? "" : " · ", dollars(*total), what);
  };
  const query::Calendar calendar = query::machine_calendar();
  if (!session.empty()) {
    const Outcome<store::ConversationRow> row = conversation_called(library, session);
    if (row) {
      add({.by = query::CostBy::month, .conversation = *row, .calendar = calendar}, "session");
    }
  }
  add({.by = query::CostBy::day,
       .since = parse_moment("today", Bound::since, machine_clock()),
       .calendar = calendar},
      "today");
  context.print((line.empty() ? std::string("weft: no cost is known yet") : line) + "\n");
  return Exit::done;
}

Answer cost(const Context& context, const Options& options) {
  if (options.statusline) {
    const Result<Config> config = read_config(context.home(), context.environment());
    const auto prices =
        query::load_prices(context.home().directory, config ? config->prices : json::object());
    if (!prices) return refuse(prices.error());
    return print_statusline(context, *prices, options.conversation);
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(config.error());
  const auto prices = query::load_prices(context.home().directory, config->prices);
  if (!prices) return refuse(prices.error());
  const query::PinnedLibrary library = opened->snapshot();
  query::CostOptions question{
      .by = *query::parse_cost_by(options.by),
      .rules = options.like.empty() ? query::CostRules::weft : query::CostRules::ccusage,
      .calendar = query::machine_calendar()};
  const LocalClock clock = machine_clock();
  question.since = parse_moment(options.since, Bound::since, clock);
  question.until = parse_moment(options.until, Bound::until, clock);
  if (!options.conversation.empty()) {
    Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
    if (!row) return refuse(std::move(row));
    question.conversation = *std::move(row);
  }
  Result<json::object> answer = query::cost(library, *prices, question);
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*std::move(answer));
  } else {
    context.print(to_table(*answer, context.style()));
    print_remarks(context, *answer);
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "A conversation, with its subagents (default: all)");
  arguments.add("--by", options->by, "What a row stands for (default: day)",
                {.one_of = {"day", "week", "month", "model", "project", "session", "prompt"}});
  arguments.add("--since", options->since, "Only requests from this time on",
                {.value = "T", .check = check_time});
  arguments.add("--until", options->until, "Only requests up to this time",
                {.value = "T", .check = check_time});
  arguments.add("--like", options->like, "Count and price as this tool does, to compare",
                {.value = "TOOL", .one_of = {"ccusage"}});
  arguments.flag(
      "--statusline", options->statusline,
      "Print one line: the cost of a session and of today. Claude Code names the session on "
      "stdin");
  return [options](Context& context) { return cost(context, *options); };
}

}  // namespace

const Command& cost_command() {
  static const Command command = {
      .name = "cost",
      .group = Group::ask,
      .summary = "add up tokens and dollars by day, model, project, session or prompt",
      .about =
          "Adds up the model requests of all conversations, or of one with its subagents: tokens\n"
          "and what they cost at the list prices of their day. A request that a fork or a resumed\n"
          "session copied counts once. Prices are those of the API: under a subscription, read\n"
          "them as an equivalent. Where no price is known the cost is ?, never 0.",
      .examples =
          "weft cost\n"
          "weft cost --by model --since 2026-10-01\n"
          "weft cost --by prompt 3f2a91c0\n"
          "weft cost --by week --since 'last month'\n"
          "weft cost last --statusline\n"
          "weft cost --like ccusage --json | jq .total",
      .see_also = "weft prices, weft stats",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
