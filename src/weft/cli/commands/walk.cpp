// weft walk: prints a conversation in order, turn by turn.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string conversation;
  query::WalkOptions walk;
};

Millis time_of(const json::array& thoughts) {
  const json::object* first = thoughts.empty() ? nullptr : thoughts.front().if_object();
  return first != nullptr ? find_int(*first, "created_at").value_or(0) : 0;
}

void print_turn(const Context& context, const json::object& turn, Names& names) {
  const Style& style = context.style();
  const json::array* thoughts = find_array(turn, "thoughts");
  if (thoughts == nullptr) return;
  const std::string heading = fmt::format(
      "{}turn {} · {} · {}", foreign_sign(turn), find_int(turn, "sequence").value_or(0),
      on_one_line(find_string(turn, "role").value_or("?")), local_date(time_of(*thoughts)));
  context.print(style.paint(Colour::bold, heading) + "\n");
  for (const json::value& value : *thoughts) {
    const json::object* thought = value.if_object();
    if (thought == nullptr) continue;
    const ThoughtLine line = line_of(*thought, names, When::time);
    const std::string begin = fmt::format("  {:>8}  ", line.when);
    std::string kind = line.kind;
    if (kind.size() < 16) kind.append(16 - kind.size(), ' ');
    const std::size_t used = begin.size() + kind.size() + line.cid.size() + 4;
    const std::size_t room = style.width > used + 16 ? style.width - used : 16;
    context.print(begin + style.paint(colour_of(line.kind), kind) + "  " +
                  style.paint(Colour::faint, line.cid) + "  " + fitted(line.words, room) + "\n");
  }
}

Answer walk(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
  if (!row) return refuse(std::move(row));
  if (context.json()) {
    ListDocument document(context.out(), context.layout(), {{"conversation_cid", row->cid.str()}},
                          "turns");
    const Status walked = query::walk(library, *row, options.walk,
                                      [&](const json::object& turn) { document.add(turn); });
    return closed(document, walked, {});
  }
  Names names(library);
  Status walked = query::walk(library, *row, options.walk,
                              [&](const json::object& turn) { print_turn(context, turn, names); });
  if (!walked) return refuse(std::move(walked).error());
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "The conversation", {.required = true});
  arguments.add("--turn", options->walk.turn, "Only the turn with this number", {.value = "N"});
  arguments.add("--branch", options->walk.branch,
                "The branch that ends at this turn (default: the newest)", {.value = "LEAF"});
  arguments.flag("--all", options->walk.all,
                 "Include other branches, superseded blocks, and what others added");
  return [options](Context& context) { return walk(context, *options); };
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
          "end; --branch selects another, --all prints all.",
      .examples =
          "weft walk 3f2a91c0\n"
          "weft walk anthropic-transcript:weft-sample --turn 1\n"
          "weft walk 3f2a91c0 --all --json",
      .see_also = "weft list, weft transcript, weft why",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
