// weft export: a conversation for elsewhere.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/command.hpp"
#include "weft/cli/figures.hpp"
#include "weft/cli/out_file.hpp"
#include "weft/cli/rendering.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/query/rebuild.hpp"
#include "weft/thought/seal.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kThoughts = "thoughts";

struct Options {
  std::string conversation, as;
  bool open = false;
  std::optional<std::string> out;
};

// Tells every thought of the conversation to `visit`, opened if that was asked for.
Status each(const query::Library& library, const store::ConversationRow& row, bool open,
            const std::function<void(const json::object&)>& visit) {
  Status opening;
  Status told = library.store.each_of(row.cid, [&](const thought::Thought& thought) {
    Result<json::object> shown = open ? thought::to_open_json(thought, library.keyring)
                                      : Result<json::object>(thought::to_json(thought));
    if (!shown) {
      opening = fail(std::move(shown).error());
      return false;
    }
    visit(*shown);
    return true;
  });
  return told ? opening : told;
}

Result<std::string> written(const query::Library& library, const store::ConversationRow& row,
                            const std::string& format) {
  Result<transcript::Conversation> conversation = query::rebuild(library, row);
  if (!conversation) return fail(std::move(conversation).error());
  return formats::find_adapter(format)->write(*conversation);
}

// What --out holds, as an answer.
Answer report(const Context& context, const store::ConversationRow& row, const Options& options,
              std::uint64_t bytes, std::optional<std::uint64_t> thoughts) {
  if (context.json()) {
    json::object answer{{"conversation_cid", row.cid.str()},
                        {"as", options.as},
                        {"out", *options.out},
                        {"bytes", bytes}};
    if (thoughts) answer["thought_count"] = *thoughts;
    context.print_json(answer);
  } else {
    context.note(fmt::format("wrote {} ({})", *options.out, byte_size(bytes)));
  }
  return Exit::done;
}

Answer to_file(const Context& context, const query::Library& library,
               const store::ConversationRow& row, const Options& options) {
  Result<OutFile> file = OutFile::create(*options.out);
  if (!file) return refuse(std::move(file).error());
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> thoughts;
  const auto write = [&](std::string_view text) {
    bytes += std::fwrite(text.data(), 1, text.size(), file->stream());
  };
  if (options.as == kThoughts) {
    thoughts = 0;
    Status told = each(library, row, options.open, [&](const json::object& thought) {
      ++*thoughts;
      write(to_text(thought, Layout::compact) + "\n");
    });
    if (!told) return refuse(std::move(told).error());
  } else {
    Result<std::string> text = written(library, row, options.as);
    if (!text) return refuse(std::move(text).error());
    write(*text);
  }
  if (Status done = file->commit(); !done) return refuse(std::move(done).error(), Exit::failure);
  return report(context, row, options, bytes, thoughts);
}

Answer to_stdout(const Context& context, const query::Library& library,
                 const store::ConversationRow& row, const Options& options) {
  const json::object front{{"conversation_cid", row.cid.str()}, {"as", options.as}};
  if (options.as == kThoughts && context.json()) {
    ListDocument document(context.out(), context.layout(), front, std::string(kThoughts));
    const Status told = each(library, row, options.open,
                             [&](const json::object& thought) { document.add(thought); });
    return closed(document, told, {});
  }
  if (options.as == kThoughts) {
    Status told = each(library, row, options.open, [&](const json::object& thought) {
      write_json(context.out(), thought, Layout::compact);
    });
    if (!told) return refuse(std::move(told).error());
    return Exit::done;
  }
  Result<std::string> text = written(library, row, options.as);
  if (!text) return refuse(std::move(text).error());
  if (context.json()) {
    json::object answer = front;
    answer["text"] = *text;
    context.print_json(answer);
  } else {
    context.print(*text);
  }
  return Exit::done;
}

Answer export_conversation(const Context& context, const Options& options) {
  Asked<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::Library library = opened->library();
  Asked<store::ConversationRow> row = conversation_called(library, options.conversation);
  if (!row) return refuse(std::move(row));
  return options.out ? to_file(context, library, *row, options)
                     : to_stdout(context, library, *row, options);
}

std::vector<std::string> forms() {
  std::vector<std::string> names = {std::string(kThoughts)};
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    if (adapter->write != nullptr) names.emplace_back(adapter->name);
  }
  return names;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "The conversation", {.required = true});
  arguments.add("--as", options->as, "As what: thoughts, anthropic-transcript",
                {.value = "FORM", .required = true, .one_of = forms()});
  arguments.flag("--open", options->open,
                 "Thoughts with every layer opened that the keyring opens");
  arguments.add("--out", options->out, "Into this file; else to stdout", {.value = "FILE"});
  return [options](Context& context) { return export_conversation(context, *options); };
}

}  // namespace

const Command& export_command() {
  static const Command command = {
      .name = "export",
      .group = Group::hand_on,
      .summary = "write a conversation for elsewhere",
      .about =
          "Writes a conversation as JSON lines of thoughts, with everything that checking it\n"
          "takes (identities, schemas, connections, checkpoints), sealed as stored; anyone can\n"
          "verify them without a key. Or as a transcript again, with the reasoning that the\n"
          "keyring opens.",
      .examples =
          "weft export 3f2a91c0 --as thoughts > thoughts.jsonl\n"
          "weft export 3f2a91c0 --as thoughts --open --out opened.jsonl\n"
          "weft export 3f2a91c0 --as anthropic-transcript > talk.txt",
      .see_also = "weft import, weft transcript, weft verify",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
