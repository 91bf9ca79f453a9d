// weft handover: what an agent must know to go on with a conversation.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/query/handover/handover.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string conversation = "last";
};

Answer hand_over(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library(*opened->store, opened->keys(), query::Secrets::masked);
  Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
  if (!row) return refuse(std::move(row));
  Result<json::object> answer = query::handover(library, *row, {});
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) context.print_json(*answer);
  else context.print_export(*find_string(*answer, "text"));
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "Conversation to hand over (default: the last one)");
  return [options](Context& context) { return hand_over(context, *options); };
}

}  // namespace

const Command& handover_command() {
  static const Command command = {
      .name = "handover",
      .group = Group::ask,
      .summary = "say in a few lines where a conversation stands",
      .about =
          "Prints what an agent must know to go on with a conversation, in at most 2 kB and\n"
          "without a model: the task in the person's words, the open entries of the agent's list,\n"
          "the files changed since the last commit, the last call that failed, and the person's\n"
          "corrections. Each line has the CID of what it says. Nothing that a tool or a page\n"
          "said is quoted, no thought of somebody else's, and secrets are masked.\n"
          "`weft hook install --handover` gives it to Claude Code after each compaction.",
      .examples =
          "weft handover\n"
          "weft handover 3f2a91c0\n"
          "weft handover @2 --json | jq -r .task.words",
      .see_also = "weft resume, weft read, weft hook",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
