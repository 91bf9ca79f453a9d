// weft secrets: the tokens, keys and passwords that stand in conversations.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/secrets/list_secrets.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string conversation;
  bool deep = false, reveal = false;
};

void print(const Context& context, const json::object& answer, bool is_revealed) {
  const json::array& list = answer.at("secrets").as_array();
  const auto blocks = static_cast<std::uint64_t>(find_int(answer, "blocks").value_or(0));
  if (list.empty()) {
    return context.print(fmt::format("no secrets found in {}\n", count(blocks, "block")));
  }
  std::vector<Column> columns = {{.title = "secret", .colour = Colour::bold},
                                 {.title = "#"},
                                 {.title = "since"},
                                 {.title = "sessions", .align = Align::right},
                                 {.title = "places", .align = Align::right},
                                 {.title = "first place"},
                                 {.title = "replace it at", .flexible = true}};
  if (is_revealed) columns.push_back({.title = "value", .flexible = true});
  Table table(columns);
  for (const json::value& value : list) {
    const json::object& secret = value.get_object();
    const json::array& places = secret.at("places").as_array();
    const std::string place(find_string(places.front().as_object(), "cid").value_or(""));
    std::vector<std::string> row = {
        std::string(find_string(secret, "rule").value_or("?")),
        std::string(find_string(secret, "fingerprint").value_or("").substr(0, 4)),
        local_date(find_int(secret, "first_seen").value_or(0)),
        std::to_string(find_int(secret, "conversations").value_or(0)),
        std::to_string(find_int(secret, "count").value_or(0)),
        brief(place),
        std::string(find_string(secret, "revoke").value_or(""))};
    if (is_revealed) row.push_back(on_one_line(find_string(secret, "value").value_or("")));
    table.add(std::move(row));
  }
  context.print(table.str(context.style()));
  context.note(
      fmt::format("{} in {}: replace each where it was made; weft seal --secret FINGERPRINT hides "
                  "it here",
                  count(list.size(), "secret"), count(blocks, "block")));
}

Answer list(const Context& context, const Options& options) {
  if (options.reveal && (context.json() || !is_terminal(context.out()))) {
    return refuse({ErrorCode::invalid_input, "--reveal prints values on a terminal only"},
                  Exit::usage, "omit --reveal; the places lead to the values: weft get CID");
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  query::SecretsOptions question{
      .least = options.deep ? secrets::Tier::likely : secrets::Tier::sure,
      .with_values = options.reveal};
  if (!options.conversation.empty()) {
    Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
    if (!row) return refuse(std::move(row));
    question.conversation = *std::move(row);
  }
  ProgressLine line(context.err());
  question.control.progress = [&](std::uint64_t done, std::uint64_t all) {
    line.show(fmt::format("looking for secrets: {} of {}", done, count(all, "conversation")));
  };
  Result<json::object> answer = query::list_secrets(library, question);
  line.clear();
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) context.print_json(*answer);
  else print(context, *answer, options.reveal);
  if (const auto sealed = find_int(*answer, "sealed")) {
    context.note(fmt::format("in {} something is sealed that this keyring does not open",
                             count(static_cast<std::uint64_t>(*sealed), "conversation")));
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "A conversation (default: all)");
  arguments.flag("--deep", options->deep,
                 "Also what is only likely: values of names such as API_KEY, passwords in URLs");
  arguments.flag("--reveal", options->reveal, "Print the values; on a terminal only");
  return [options](Context& context) { return list(context, *options); };
}

}  // namespace

const Command& secrets_command() {
  static const Command command = {
      .name = "secrets",
      .group = Group::check,
      .summary = "list tokens, keys and passwords that stand in conversations",
      .about =
          "Lists each secret once: since when it is in your conversations, in how many, and where\n"
          "to replace it. Secrets are found by the shapes that services give their tokens, with\n"
          "their checksums; private keys; and passwords in connection strings. Placeholders are\n"
          "left out. Values are not printed without --reveal.\n"
          "\n"
          "What weft shows to agents, on the page and in search results has [secret RULE #NAME] "
          "in\n"
          "place of each; NAME is the beginning of its fingerprint, a hash under your own key.",
      .examples =
          "weft secrets\n"
          "weft secrets --deep\n"
          "weft secrets last --json | jq '.secrets[] | [.rule, .conversations, .revoke]'",
      .see_also = "weft seal, weft forget, weft search",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
