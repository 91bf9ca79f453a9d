// weft walk: prints a conversation in order, turn by turn.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/outline_text.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string conversation;
  query::WalkOptions walk;
  bool outline = false;
  std::optional<std::uint64_t> from, limit;  // of blocks
  std::uint64_t cut = query::BlocksOptions().cut;

  bool counts_blocks() const { return outline || from || limit; }
};

Millis time_of(const json::array& thoughts) {
  const json::object* first = thoughts.empty() ? nullptr : thoughts.front().if_object();
  return first != nullptr ? find_int(*first, "created_at").value_or(0) : 0;
}

// `begin` stands before the line.
void print_block(const Context& context, std::string begin, const json::object& thought,
                 Names& names, const std::optional<Cid>& mark) {
  const Style& style = context.style();
  const ThoughtLine line = line_of(thought, names, When::time);
  if (mark && find_string(thought, "cid") == mark->str()) begin.replace(0, 1, "▶");
  const std::string front = begin + fmt::format("{:>8}  ", line.when);
  std::string kind = line.kind;
  if (kind.size() < 16) kind.append(16 - kind.size(), ' ');
  const std::size_t used = display_width(front) + kind.size() + line.cid.size() + 4;
  const std::size_t room = style.width > used + 16 ? style.width - used : 16;
  context.print(front + style.paint(colour_of(line.kind), kind) + "  " +
                style.paint(Colour::faint, style.link(Screen::thought, line.cid)) + "  " +
                fitted(line.words, room) + "\n");
}

void print_turn(const Context& context, const json::object& turn, Names& names,
                const std::optional<Cid>& mark) {
  const json::array* thoughts = find_array(turn, "thoughts");
  if (thoughts == nullptr) return;
  const std::string heading = fmt::format(
      "{}turn {} · {} · {}", foreign_sign(turn), find_int(turn, "sequence").value_or(0),
      on_one_line(find_string(turn, "role").value_or("?")), local_date(time_of(*thoughts)));
  context.print(context.style().paint(Colour::bold, heading) + "\n");
  for (const json::value& value : *thoughts) {
    const json::object* thought = value.if_object();
    if (thought == nullptr) continue;
    print_block(context, "  ", *thought, names, mark);
  }
}

Answer outline(const Context& context, const query::Library& library,
               const store::ConversationRow& row, const Options& options) {
  Result<json::object> answer =
      query::outline(library, row,
                     {.branch = options.walk.branch,
                      .all = options.walk.all,
                      .from = options.from.value_or(0),
                      .limit = options.limit.value_or(query::OutlineOptions().limit)});
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
    return Exit::done;
  }
  context.print(outline_text(*answer, context.style()));
  print_notes(context, *answer);
  return Exit::done;
}

Answer blocks(const Context& context, const query::Library& library,
              const store::ConversationRow& row, const Options& options) {
  Result<json::object> answer =
      query::blocks(library, row,
                    {.branch = options.walk.branch,
                     .all = options.walk.all,
                     .from = options.from.value_or(0),
                     .limit = options.limit.value_or(query::BlocksOptions().limit),
                     .cut = options.cut});
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
    return Exit::done;
  }
  Names names(library);
  for (const json::value& value : answer->at("blocks").as_array()) {
    const json::object& block = value.as_object();
    print_block(context, fmt::format("{:>7}  ", find_int(block, "ordinal").value_or(0)), block,
                names, std::nullopt);
  }
  return Exit::done;
}

Answer walk(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<query::Standing> standing = standing_called(library, options.conversation);
  if (!standing) return refuse(std::move(standing));
  const store::ConversationRow& row = standing->conversation;
  if (options.outline) return outline(context, library, row, options);
  if (options.counts_blocks()) return blocks(context, library, row, options);
  query::WalkOptions wanted = options.walk;
  json::object front{{"conversation_cid", row.cid.str()}};
  if (standing->block) {
    Result<json::object> where = query::describe_standing(library, *standing);
    if (!where) return refuse(std::move(where).error());
    // A thought on another branch is among all turns only.
    wanted.all = wanted.all || !where->contains("ordinal");
    if (!wanted.turn) wanted.turn = count_or_zero(*where, "turn");
    front["thought_cid"] = standing->block->str();
    print_standing(context, *where);
  }
  if (context.json()) {
    ListDocument document(context.out(), context.layout(), std::move(front), "turns");
    const Status walked =
        query::walk(library, row, wanted, [&](const json::object& turn) { document.add(turn); });
    return closed(document, walked, {});
  }
  Names names(library);
  Status walked = query::walk(library, row, wanted, [&](const json::object& turn) {
    print_turn(context, turn, names, standing->block);
  });
  if (!walked) return refuse(std::move(walked).error());
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation,
                "The conversation, or a thought: then its turn, with the thought marked",
                {.required = true});
  arguments.add("--turn", options->walk.turn, "Only the turn with this number", {.value = "N"});
  arguments.add("--branch", options->walk.branch,
                "The branch that ends at this turn (default: the newest)", {.value = "LEAF"});
  arguments.flag("--all", options->walk.all,
                 "Include other branches, superseded blocks, and what others added");
  arguments.flag("--outline", options->outline,
                 "One row for each block, without text: kind, time, length, tool, causes");
  arguments.add("--from", options->from, "First block, counted from 0", {.value = "N"});
  arguments.add("--limit", options->limit,
                "Maximum number of blocks (default: 50; with --outline no limit)", {.value = "N"});
  arguments.add("--cut", options->cut, "Maximum length of a text, with --from or --limit",
                {.value = "CHARS"});
  return [options](Context& context) -> Answer {
    if (options->walk.turn && options->counts_blocks()) {
      return refuse({ErrorCode::invalid_input, "--turn cannot be combined with counting blocks"},
                    Exit::usage, "omit --turn, or omit --outline, --from and --limit");
    }
    return walk(context, *options);
  };
}

}  // namespace

const Command& walk_command() {
  static const Command command = {
      .name = "walk",
      .group = Group::ask,
      .summary = "print a conversation in order, turn by turn",
      .about =
          "Prints every thought of a conversation in order, turn by turn, each summary right\n"
          "after its thinking. If the conversation branches, it prints the branch with the newest\n"
          "end; --branch selects another, --all prints all.\n"
          "\n"
          "With --from or --limit it prints single blocks, numbered from 0 in the same order; "
          "with\n"
          "--outline what is known of each besides its text.",
      .examples =
          "weft walk 3f2a91c0\n"
          "weft walk anthropic-transcript:weft-sample --turn 1\n"
          "weft walk 3f2a91c0 --all --json\n"
          "weft walk 3f2a91c0 --outline\n"
          "weft walk 3f2a91c0 --from 1200 --limit 20 --json",
      .see_also = "weft list, weft transcript, weft why",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
