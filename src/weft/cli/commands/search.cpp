// weft search: full-text search over all blocks.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/marked.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/outline/numbered_blocks.hpp"
#include "weft/query/search/search_cursor.hpp"
#include "weft/query/search/search_types.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::vector<std::string> words;
  std::optional<std::string> type, project, conversation, role;
  std::string since, until, cursor, group;
  std::uint64_t limit = 20, offset = 0;
  std::optional<std::uint64_t> context;
  bool turns = false, flat = false;

  bool is_empty() const {
    return words.empty() && !type && !project && !conversation && !role && since.empty() &&
           until.empty();
  }
};

constexpr std::string_view kIndent = "  ";
// Width of a title if the page has no width of its own.
constexpr std::size_t kMaxTitle = 80;
constexpr std::size_t kLeastTitle = 8;
constexpr std::size_t kMinutes = std::string_view("2026-02-01 14:42").size();

Outcome<query::SearchOptions> to_question(const query::Library& library, const Options& options) {
  query::SearchOptions question{
      .clock = query::clock_at(options.cursor, machine_clock()),
      .limit = options.limit,
      .offset = options.offset,
      .group = options.group.empty() ? query::SearchGroup::none : query::SearchGroup::session,
      .cursor = options.cursor};
  question.query = fmt::format("{}", fmt::join(options.words, " "));
  if (options.type) question.types.push_back(*options.type);
  if (options.project) question.projects.push_back(*options.project);
  if (options.role) question.roles.push_back(*options.role);
  question.since = parse_moment(options.since, Bound::since, question.clock);
  question.until = parse_moment(options.until, Bound::until, question.clock);
  if (options.conversation) {
    Outcome<store::ConversationRow> row = conversation_called(library, *options.conversation);
    if (!row) return refuse(std::move(row));
    question.conversation = *std::move(row);
  }
  return question;
}

// "looms · Why the loom is stuck", as far as either is known.
std::string where_from(const json::object& result) {
  const std::string project = first_words(find_string(result, "project").value_or(""));
  const std::string title = first_words(find_string(result, "title").value_or("(untitled)"));
  std::string where(foreign_sign(result));
  where += project.empty() ? title : project + " · " + title;
  const std::uint64_t places = count_or_zero(result, "places");
  if (places > 1) where += " · in " + count(places) + " places";
  const std::uint64_t more = count_or_zero(result, "more");
  return more > 0 ? where + " · " + count(more) + " more here" : where;
}

// kind where it comes from when CID
void print_head(const Context& context, Colour colour, const std::string& kind,
                const std::string& where, const std::string& when, Screen screen,
                const std::string& cid) {
  const Style& style = context.style();
  const std::size_t gaps = 6;
  const std::size_t others = display_width(kind) + cid.size() + gaps;
  // Where there is little room, seconds give way to the title.
  const bool is_narrow = style.width < others + when.size() + kMaxTitle / 2;
  const std::string time = is_narrow ? when.substr(0, kMinutes) : when;
  const std::size_t used = others + time.size();
  const std::size_t room = style.width == Style::kUnlimited   ? kMaxTitle
                           : style.width > used + kLeastTitle ? style.width - used
                                                              : kLeastTitle;
  context.print(style.paint(colour, kind) + "  " + style.paint(Colour::bold, fitted(where, room)) +
                "  " + style.paint(Colour::faint, time + "  " + style.link(screen, cid)) + "\n");
}

void print_snippet(const Context& context, const json::object& result) {
  Marked marked{std::string(find_string(result, "snippet").value_or(""))};
  if (const json::array* marks = find_array(result, "marks")) {
    for (const json::value& mark : *marks) {
      const json::array& ends = mark.as_array();
      marked.marks.emplace_back(ends.at(0).to_number<std::size_t>(),
                                ends.at(1).to_number<std::size_t>());
    }
  }
  const Style& style = context.style();
  const std::size_t columns =
      style.width == Style::kUnlimited ? style.width : style.width - kIndent.size();
  for (const std::string& line : laid_out(marked, style, columns)) {
    context.print(std::string(kIndent) + line + "\n");
  }
}

// The blocks around hits, one line each. Keeps the outline of the last conversation.
class Surroundings {
 public:
  Surroundings(const Context& context, const query::Library& library, std::uint64_t blocks)
      : context_(context), library_(library), blocks_(blocks) {}

  // Calls `print_hit` between the blocks before and after it.
  Status print(const json::object& result, const std::function<void()>& print_hit) {
    WEFT_TRY_VALUE(const auto at, find(result));
    if (at) WEFT_TRY(print_blocks(*at - std::min(*at, blocks_), *at));
    print_hit();
    if (at) WEFT_TRY(print_blocks(*at + 1, *at + 1 + blocks_));
    return {};
  }

 private:
  Result<std::optional<std::uint64_t>> find(const json::object& result) {
    const std::string name(find_string(result, "conversation_cid").value_or(""));
    const Result<Cid> conversation = Cid::parse(name);
    const Result<Cid> hit = Cid::parse(find_string(result, "cid").value_or(""));
    if (!conversation || !hit) return std::nullopt;
    if (name != name_) {
      WEFT_TRY_VALUE(const auto row, library_.web.conversation(*conversation));
      WEFT_TRY_VALUE(auto reader, query::NumberedBlocks::open(library_, row, {}));
      reader_.emplace(std::move(reader));
      name_ = name;
    }
    return reader_->find(*hit);
  }
  Status print_blocks(std::uint64_t begin, std::uint64_t end) {
    const Style& style = context_.style();
    for (std::uint64_t i = begin; i < std::min(end, reader_->count()); ++i) {
      WEFT_TRY_VALUE(const auto block, reader_->read(i, kMaxContextChars));
      const std::string kind = on_one_line(kind_of(block));
      const std::string line = kind + ": " + summary_line(block);
      const std::size_t room =
          style.width == Style::kUnlimited ? kMaxTitle * 2 : style.width - kIndent.size();
      context_.print(std::string(kIndent) + style.paint(Colour::faint, fitted(line, room)) + "\n");
    }
    return {};
  }

  static constexpr std::uint64_t kMaxContextChars = 2'000;
  const Context& context_;
  const query::Library& library_;
  std::uint64_t blocks_;
  std::string name_;
  std::optional<query::NumberedBlocks> reader_;
};

// A session with its best hit: where it is, then the hit, then how many more there are.
void print_session(const Context& context, const json::object& result) {
  const Style& style = context.style();
  const std::string when =
      local_date_time(find_int(result, "created_at").value_or(0)).substr(0, kMinutes);
  const std::string project = first_words(find_string(result, "project").value_or(""));
  const std::string title = first_words(find_string(result, "title").value_or("(untitled)"));
  const std::string where =
      std::string(foreign_sign(result)) + (project.empty() ? title : project + " · " + title);
  const std::string session = brief(find_string(result, "conversation_cid").value_or(""));
  const std::size_t used = when.size() + session.size() + 4;
  const std::size_t room = style.width == Style::kUnlimited   ? kMaxTitle
                           : style.width > used + kLeastTitle ? style.width - used
                                                              : kLeastTitle;
  context.print(
      style.paint(Colour::bold, fitted(where, room)) + "  " +
      style.paint(Colour::faint, when + "  " + style.link(Screen::conversation, session)) + "\n");
}

void print_hit_of_session(const Context& context, const json::object& result) {
  const Style& style = context.style();
  const std::string kind = on_one_line(kind_of(result));
  const std::uint64_t more = count_or_zero(result, "more");
  context.print(
      std::string(kIndent) + style.paint(colour_of(kind), kind) + "  " +
      style.paint(Colour::faint,
                  style.link(Screen::thought, brief(find_string(result, "cid").value_or(""))) +
                      (more > 0 ? "  " + count(more) + " more here" : "")) +
      "\n");
  print_snippet(context, result);
}

void print_result(const Context& context, const json::object& result, bool is_turn) {
  const std::string conversation = brief(find_string(result, "conversation_cid").value_or(""));
  if (is_turn) {
    const Millis time =
        parse_iso8601(find_string(result, "timestamp").value_or("")).value_or(Millis{0});
    print_head(context, Colour::cyan, "turn " + std::to_string(count_or_zero(result, "hit_turn")),
               where_from(result), local_date_time(time), Screen::conversation, conversation);
  } else {
    const std::string kind = on_one_line(kind_of(result));
    print_head(context, colour_of(kind), kind, where_from(result),
               local_date_time(find_int(result, "created_at").value_or(0)), Screen::thought,
               brief(find_string(result, "cid").value_or("")));
  }
  print_snippet(context, result);
}

// How to see the next page; empty if this is the last.
std::string how_to_see_more(const json::object& answer, const Options& options,
                            std::uint64_t shown) {
  const auto cursor = find_string(answer, "next_cursor");
  const bool by_cursor = !options.group.empty() || !options.cursor.empty();
  if (by_cursor) return cursor ? "more: --cursor " + std::string(*cursor) : std::string();
  if (options.offset + shown >= count_or_zero(answer, "total")) return {};
  return fmt::format("more: --offset {}", options.offset + shown);
}

// What similar words find, where nothing matches.
void print_suggested(const Context& context, const json::object& answer) {
  const json::object* suggested = find_object(answer, "suggested");
  if (suggested == nullptr) return;
  constexpr std::size_t kShown = 3;
  context.note(fmt::format("did you mean: {} ({})", find_string(*suggested, "query").value_or(""),
                           count(count_or_zero(*suggested, "total"), "result")));
  // A pipe gets nothing that was not asked for.
  if (!is_terminal(context.out())) return;
  const json::array& results = suggested->at("results").as_array();
  for (std::size_t i = 0; i < std::min(kShown, results.size()); ++i) {
    print_result(context, results[i].as_object(), false);
  }
}

// The number of results, how to see the rest, and what to run next for the first one.
void print_end(const Context& context, const json::object& answer, const Options& options) {
  const json::array* results = find_array(answer, "results");
  const std::uint64_t shown = results == nullptr ? 0 : results->size();
  const std::uint64_t total = count_or_zero(answer, "total");
  if (total == 0) {
    context.note("nothing found");
    print_suggested(context, answer);
  } else if (shown == 0) {
    context.note("no more results after the first " + count(total, "result"));
  } else if (const std::string more = how_to_see_more(answer, options, shown); !more.empty()) {
    const std::string what = options.group.empty() ? count(shown) : count(shown, "session");
    context.note(fmt::format("{} of {}; {}", what, count(total, "result"), more));
  } else if (!options.group.empty()) {
    context.note(options.cursor.empty() ? count(total, "result") + " in " + count(shown, "session")
                                        : "the last sessions of " + count(total, "result"));
  } else {
    const bool is_first = options.offset == 0 && options.cursor.empty();
    context.note(is_first ? count(total, "result") : "the last of " + count(total, "result"));
  }
  if (shown > 0) {
    const json::object& first = results->front().as_object();
    std::string hint =
        "causes of the first result: weft why " + brief(find_string(first, "cid").value_or(""));
    if (const auto conversation = find_string(first, "conversation_cid")) {
      hint += options.turns
                  ? fmt::format("; its context: weft walk {} --turn {}", brief(*conversation),
                                count_or_zero(first, "hit_turn"))
                  : "; its context: weft read " + brief(find_string(first, "cid").value_or(""));
    }
    context.note(hint);
  }
  print_notes(context, answer);
}

Answer search(const Context& context, Options options) {
  // On a terminal a person wants to know in which sessions something stands.
  const bool by_session = !context.json() && is_terminal(context.out()) && !options.flat &&
                          !options.turns && options.offset == 0;
  if (by_session) options.group = "session";
  if (options.is_empty()) {
    return refuse({ErrorCode::invalid_input,
                   "nothing to search for: give a QUERY or an option (weft search --help)"},
                  Exit::usage);
  }
  if (options.turns && (!options.cursor.empty() || !options.group.empty())) {
    return refuse({ErrorCode::invalid_input, "--turns does not go with --cursor or --group"},
                  Exit::usage);
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<query::SearchOptions> question = to_question(library, options);
  if (!question) return refuse(std::move(question));
  Result<json::object> answer =
      options.turns ? query::search_turns(library, *question) : query::search(library, *question);
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
  } else {
    Surroundings around(context, library, options.context.value_or(0));
    bool is_first = true;
    for (const json::value& value : answer->at("results").as_array()) {
      const json::object& result = value.as_object();
      if (by_session && !std::exchange(is_first, false)) context.print("\n");
      if (by_session) print_session(context, result);
      const auto print_hit = [&] {
        if (by_session) print_hit_of_session(context, result);
        else print_result(context, result, options.turns);
      };
      if (!options.context) {
        print_hit();
      } else if (Status printed = around.print(result, print_hit); !printed) {
        return refuse(std::move(printed).error());
      }
    }
    print_end(context, *answer, options);
  }
  return count_or_zero(*answer, "total") > 0 ? Exit::done : Exit::no;
}

std::string check_type(const std::string& type) {
  const std::string fault = query::fault_of_type(type);
  return fault.empty() ? fault : "'" + type + "': " + fault;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("QUERY", options->words, "Words to search for");
  arguments.add("--type", options->type, "Only this thought type, or this kind in every family",
                {.value = "T", .check = check_type});
  arguments.add("--project", options->project, "Only this project", {.value = "P"});
  arguments.add("--conversation", options->conversation, "Only this conversation",
                {.value = "CONV"});
  arguments.add("--role", options->role, "Only turns of this role",
                {.one_of = {"human", "assistant", "system"}});
  arguments.add("--since", options->since,
                "Only at or after this time: 2026-10-01, 10:30, yesterday, 2w, 'last month'",
                {.value = "T", .check = check_time});
  arguments.add("--until", options->until,
                "Only at or before this time; a date includes the whole day",
                {.value = "T", .check = check_time});
  arguments.add("--limit", options->limit, "Maximum number of results (default: 20)",
                {.value = "N"});
  arguments.add("--offset", options->offset, "Number of results to skip (default: 0)",
                {.value = "N"});
  arguments.add("--cursor", options->cursor,
                "Continue after a page: its next_cursor, with the same query and filters",
                {.value = "C"});
  arguments.add("--group", options->group,
                "session: one result for each conversation, its best, and how many more it has",
                {.one_of = {"session"}});
  arguments.add("-C,--context", options->context, "Blocks to show before and after each hit",
                {.value = "N"});
  arguments.flag("--flat", options->flat,
                 "On a terminal: every result by itself, instead of the best of each session");
  arguments.flag("--turns", options->turns,
                 "Find whole exchanges: what a person wrote and the answer to it");
  return [options](Context& context) { return search(context, *options); };
}

}  // namespace

const Command& search_command() {
  static const Command command = {
      .name = "search",
      .group = Group::ask,
      .summary = "search messages, reasoning, tool calls and their results",
      .about =
          "Searches every block: messages of people and models, reasoning and its summaries, tool\n"
          "calls and their results, compactions, attachments, subagents. Any of the words may\n"
          "match; results with more and rarer words rank higher. Sealed text is searched as far\n"
          "as the keyring opens it.\n"
          "\n"
          "  \"a phrase\"      these words in this order\n"
          "  +must  -not     required word, excluded word\n"
          "  prefix*         words that start with it (not in sealed text)\n"
          "  type:thinking  tool:Bash  role:human  project:looms  session:ID\n"
          "  since:2026-10-01  until:yesterday  since:2w  since:\"last month\"\n"
          "\n"
          "Times are local unless they have a zone. A filter with a wrong value or a mistyped\n"
          "name is left out, and the notes at the end say so.\n"
          "\n"
          "On a terminal the results are grouped: each session with its best hit. Where nothing\n"
          "matches, other forms of the words are tried, and shown as a suggestion.\n"
          "\n"
          "Put -- before a QUERY that starts with a dash. Without QUERY, the options alone select\n"
          "the results. Exit code 1 if nothing is found.",
      .examples =
          "weft search loom shuttle stuck\n"
          "weft search '\"out of memory\" +linker' --project weft\n"
          "weft search 'tool:Bash rebase' --since '2 weeks ago'\n"
          "weft search migration -C 2\n"
          "weft search migration --flat\n"
          "weft search -- -jammed shuttle\n"
          "weft search --type thinking --conversation 3f2a91c0 --json | jq -r '.results[].cid'",
      .see_also = "weft read, weft why, weft list, weft reindex",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
