// weft read: a session for reading, in a pager.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/signals.hpp"
#include "weft/cli/follow/commit_sleep.hpp"
#include "weft/cli/follow/own_ingest.hpp"
#include "weft/cli/read/pager.hpp"
#include "weft/cli/read/session_heading.hpp"
#include "weft/cli/read/session_text.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/query/ask/standing.hpp"
#include "weft/query/cost/load_prices.hpp"
#include "weft/query/outline/numbered_blocks.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string what = "last";
  ReadingOptions reading;
  std::optional<std::uint64_t> turn, from, limit, context;
  bool follow = false, no_pager = false;
};

// Blocks shown before one that is named, unless the person says otherwise.
constexpr std::uint64_t kContext = 10;
// Longer texts are cut, so that no block takes much memory; --full reads them whole.
constexpr std::uint64_t kMaxChars = 1'000'000;

// A part of the session: the ordinals of its first block and of the one after its last.
struct Range {
  std::uint64_t begin = 0, end = 0;
};

Outcome<Range> range_of(query::NumberedBlocks& blocks, const Options& options,
                        const query::Standing& standing) {
  Range range{options.from.value_or(0), blocks.count()};
  if (options.turn) {
    const auto first = blocks.find_turn(*options.turn);
    if (!first) {
      return refuse(
          {ErrorCode::not_found, "the conversation has no turn " + std::to_string(*options.turn)});
    }
    range.begin = *first;
    range.end = *first;
    while (range.end < blocks.count() && blocks.turn_of(range.end) == *options.turn) ++range.end;
  } else if (standing.block && !options.from) {
    Result<std::optional<std::uint64_t>> ordinal = blocks.find(*standing.block);
    if (!ordinal) return refuse(std::move(ordinal).error());
    const std::uint64_t at = ordinal->value_or(0);
    range.begin = at - std::min(at, options.context.value_or(kContext));
    if (options.context) range.end = std::min(blocks.count(), at + *options.context + 1);
  }
  range.begin = std::min(range.begin, blocks.count());
  if (options.limit) range.end = range.begin + std::min(*options.limit, range.end - range.begin);
  return range;
}

// The blocks of the branch that the named one stands on.
Result<query::NumberedBlocks> open_blocks(const query::Library& library,
                                          const query::Standing& standing) {
  WEFT_TRY_VALUE(auto main, query::NumberedBlocks::open(library, standing.conversation, {}));
  if (!standing.block) return main;
  WEFT_TRY_VALUE(const auto ordinal, main.find(*standing.block));
  if (ordinal) return main;
  return query::NumberedBlocks::open(library, standing.conversation, {.all = true});
}

Answer print_document(const Context& context, query::NumberedBlocks& blocks, const Range& range,
                      json::object heading, const Options& options) {
  heading["count"] = blocks.count();
  heading["from"] = range.begin;
  if (options.reading.mark) heading["thought_cid"] = options.reading.mark->str();
  ListDocument document(context.out(), context.layout(), std::move(heading), "blocks");
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    Result<json::object> block = blocks.read(i);
    if (!block) return closed(document, fail(std::move(block).error()), {});
    document.add(*block);
  }
  return closed(document, {}, {});
}

// Where lines go: to the pager while the person reads there, or to stdout.
class Output {
 public:
  Output(const Context& context, std::optional<Pager> pager)
      : context_(context), pager_(std::move(pager)) {}

  void line(std::string_view text) {
    if (is_over_) return;
    std::string whole(text);
    whole += '\n';
    if (!pager_) context_.print(whole);
    is_over_ = pager_ ? !pager_->write(whole) : std::ferror(context_.out()) != 0;
  }
  bool is_over() const { return is_over_; }
  Style style() const {
    Style style = context_.style();
    if (pager_ && !pager_->takes_links()) style.page.clear();
    return style;
  }

 private:
  const Context& context_;
  std::optional<Pager> pager_;
  bool is_over_ = false;
};

// Lines wider than this are hard to read, however wide the terminal is.
constexpr std::size_t kMaxColumns = 120;

std::size_t columns_of(const Style& style) {
  return style.width == Style::kUnlimited ? style.width : std::min(style.width, kMaxColumns);
}

Status print_range(SessionText& text, query::NumberedBlocks& blocks, const Range& range,
                   const Options& options, Output& output) {
  const std::uint64_t cut =
      options.reading.full ? std::numeric_limits<std::uint64_t>::max() : kMaxChars;
  for (std::uint64_t i = range.begin; i < range.end && !output.is_over(); ++i) {
    WEFT_TRY_VALUE(const auto block, blocks.read(i, cut));
    WEFT_TRY(text.add(block));
  }
  return {};
}

// What stands outside the range.
void print_rest(Output& output, const Style& style, std::uint64_t blocks, std::string_view where,
                const std::string& command) {
  if (blocks == 0) return;
  output.line("");
  output.line(style.paint(Colour::faint,
                          fmt::format("  … {} {}: {}", count(blocks, "block"), where, command)));
}

Status follow(const Context& context, const query::Library& library,
              const query::Standing& standing, SessionText& text, std::uint64_t next,
              CommitSleep& sleep, const Options& options, Output& output) {
  for (;;) {
    WEFT_TRY_VALUE(auto blocks, query::NumberedBlocks::open(library, standing.conversation, {}));
    // Another branch may be shorter: it is read on from its end.
    const Range range{std::min(next, blocks.count()), blocks.count()};
    if (context.json()) {
      for (std::uint64_t i = range.begin; i < range.end; ++i) {
        WEFT_TRY_VALUE(auto block, blocks.read(i));
        context.print_json_line(block);
      }
    } else {
      WEFT_TRY(print_range(text, blocks, range, options, output));
    }
    next = blocks.count();
    if (std::fflush(context.out()) != 0 || output.is_over()) return {};
    if (!sleep.until_changed()) return {};
  }
}

Result<query::PriceTable> prices_of(const Context& context) {
  WEFT_TRY_VALUE(const auto config, read_config(context.home(), context.environment()));
  return query::load_prices(context.home().directory, config.prices);
}

Answer read_session(const Context& context, const Opened& opened, const query::Library& library,
                    Options options, int stop) {
  CommitSleep sleep(context, *opened.store, stop);
  Outcome<query::Standing> standing = standing_called(library, options.what);
  if (!standing) return refuse(std::move(standing));
  options.reading.mark = standing->block;
  Result<query::NumberedBlocks> blocks = open_blocks(library, *standing);
  if (!blocks) return refuse(std::move(blocks).error());
  Outcome<Range> range = range_of(*blocks, options, *standing);
  if (!range) return refuse(std::move(range));
  const Result<query::PriceTable> prices = prices_of(context);
  if (!prices) return refuse(prices.error());
  Result<json::object> heading = session_heading(library, standing->conversation, *prices);
  if (!heading) return refuse(std::move(heading).error());
  if (context.json() && !options.follow) {
    return print_document(context, *blocks, *range, *std::move(heading), options);
  }
  const bool pages = is_terminal(context.out()) && !options.no_pager && !options.follow;
  Output output(context, pages ? Pager::start(context.environment(), standing->block ? "▶" : "")
                               : std::nullopt);
  const Style style = output.style();
  const std::string name = standing->conversation.cid.brief();
  const LineSink print = [&](std::string_view line) { output.line(line); };
  const std::size_t columns = columns_of(style);
  SessionText text(library, standing->conversation, style, columns, options.reading, print);
  Status printed;
  if (!context.json()) {
    print_heading(*heading, {style, columns}, print);
    print_rest(output, style, range->begin, "before", "weft read " + name);
    printed = print_range(text, *blocks, *range, options, output);
    if (printed && !options.follow) {
      print_rest(output, style, blocks->count() - range->end, "after",
                 fmt::format("weft read {} --from {}", name, range->end));
    }
  }
  if (printed && options.follow) {
    printed = follow(context, library, *standing, text, context.json() ? range->begin : range->end,
                     sleep, options, output);
  }
  if (!printed) return refuse(std::move(printed).error());
  return Exit::done;
}

Answer read(const Context& context, const Options& options) {
  if (options.follow) {
    const int stop = catch_signals();
    Outcome<OwnIngest> own = OwnIngest::begin(context);
    if (!own) return refuse(std::move(own));
    return read_session(context, own->opened(), own->opened().library(), options, stop);
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  return read_session(context, *opened, library, options, -1);
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV|CID", options->what,
                "The conversation, or a thought to open it at (default: last)");
  arguments.flag("--thinking", options->reading.thinking, "Show reasoning");
  arguments.flag("--full", options->reading.full, "Show results and edits whole");
  arguments.flag("--subagents", options->reading.subagents,
                 "Print subagents where they were called, instead of naming them");
  arguments.add("--turn", options->turn, "Only the turn with this number", {.value = "N"});
  arguments.add("--from", options->from, "First block, counted from 0", {.value = "N"});
  arguments.add("--limit", options->limit, "Maximum number of blocks", {.value = "N"});
  arguments.add("-C,--context", options->context,
                "Blocks before and after the thought (default: 10 before, and all after)",
                {.value = "N"});
  arguments.flag("--follow", options->follow,
                 "Keep printing as the session grows, until Ctrl-C; no pager");
  arguments.flag("--no-pager", options->no_pager, "Print to the terminal");
  return [options](Context& context) { return read(context, *options); };
}

}  // namespace

const Command& read_command() {
  static const Command command = {
      .name = "read",
      .group = Group::ask,
      .summary = "read a session, or open it at any thought",
      .about =
          "Shows a session for reading: answers as formatted Markdown, edits as differences, tool\n"
          "calls by what tells them apart, the beginning of their results. On a terminal it opens\n"
          "in $WEFT_PAGER, $PAGER or less. A thought opens its session at its place, marked with "
          "▶.\n"
          "With --json: the heading of the session and its blocks.",
      .examples =
          "weft read\n"
          "weft read @2 --thinking\n"
          "weft read 3f2a91c0 -C 5\n"
          "weft read last --follow\n"
          "weft read 3f2a91c0 --full --no-pager > session.txt",
      .see_also = "weft list, weft search, weft why, weft transcript",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
