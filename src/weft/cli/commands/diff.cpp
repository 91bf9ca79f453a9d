// weft diff: what a conversation, or one prompt in it, changed in files.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/edits/diff.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string subject;
  query::DiffOptions diff;
};

void print_line(const Context& context, std::string_view line) {
  const Style& style = context.style();
  const char sign = line.empty() ? ' ' : line.front();
  if (sign == '\\') return context.print("\\ No newline at end of file\n");
  const Colour colour = sign == '+' ? Colour::green : sign == '-' ? Colour::red : Colour::none;
  context.print(style.paint(colour, made_safe(line)) + "\n");
}

// Paths below the working directory are named as git names them.
std::string on_side(std::string_view side, const std::string& path) {
  const bool is_below = !path.starts_with('/') && !path.starts_with('~');
  return is_below ? std::string(side) + path : path;
}

void print_file(const Context& context, const json::object& file) {
  const Style& style = context.style();
  const std::string path = on_one_line(find_string(file, "path").value_or("?"));
  const std::string status(find_string(file, "status").value_or("changed"));
  const std::string from = on_one_line(find_string(file, "moved_from").value_or(path));
  std::string head = fmt::format("{} {}", status, path);
  if (from != path) head += " (from " + from + ")";
  head += fmt::format("  +{} -{}", find_int(file, "added").value_or(0),
                      find_int(file, "removed").value_or(0));
  context.print(style.paint(Colour::bold, head) + "\n");
  context.print(fmt::format("--- {}\n+++ {}\n",
                            status == "added" ? "/dev/null" : on_side("a/", from),
                            status == "removed" ? "/dev/null" : on_side("b/", path)));
  const json::array* hunks = find_array(file, "hunks");
  if (hunks == nullptr) return;
  for (const json::value& value : *hunks) {
    const json::object& hunk = value.get_object();
    const auto first = find_int(hunk, "before_first");
    const std::string where = first ? fmt::format("@@ -{},{} +{},{} @@", *first,
                                                  find_int(hunk, "before_count").value_or(0),
                                                  find_int(hunk, "after_first").value_or(0),
                                                  find_int(hunk, "after_count").value_or(0))
                                    : std::string("@@");
    context.print(style.paint(Colour::cyan, where) + "\n");
    for (const json::value& line : hunk.at("lines").as_array()) {
      print_line(context, line.get_string());
    }
  }
}

Answer diff(const Context& context, Options options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<query::Standing> subject = standing_called(library, options.subject);
  if (!subject) return refuse(std::move(subject));
  options.diff.block = subject->block;
  Result<json::object> answer = query::diff(library, subject->conversation, options.diff);
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
    return Exit::done;
  }
  const json::array& files = answer->at("files").as_array();
  bool is_first = true;
  for (const json::value& file : files) {
    if (!std::exchange(is_first, false)) context.print("\n");
    print_file(context, file.get_object());
  }
  if (files.empty()) context.print("no tool call here changed a file\n");
  if (const auto sealed = find_int(*answer, "sealed")) {
    context.note(fmt::format("{} calls are sealed: this keyring does not open them", *sealed));
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV|CID", options->subject,
                "The conversation, or a thought: then the exchange that holds it",
                {.required = true});
  arguments.add("--file", options->diff.path, "Only files whose path ends with this",
                {.value = "PATH"});
  return [options](Context& context) { return diff(context, *options); };
}

}  // namespace

const Command& diff_command() {
  static const Command command = {
      .name = "diff",
      .group = Group::ask,
      .summary = "show what a conversation, or one prompt, changed in files",
      .about =
          "Shows what the tool calls of a conversation and its subagents changed, file by file. "
          "With\n"
          "the CID of a prompt, or of any other thought, it shows only what was done between "
          "these\n"
          "words of a person and the next.\n"
          "\n"
          "Where the transcript states a file before and after, the edits are shown as one\n"
          "difference, with line numbers; otherwise one by one, without. Calls that failed are "
          "left\n"
          "out. What a shell command changed is not known, except for here-documents.",
      .examples =
          "weft diff 3f2a91c0\n"
          "weft diff 3f2a91c0 --file session.py\n"
          "weft diff 3f2a91c0 --json | jq '.files[] | [.path, .added, .removed]'",
      .see_also = "weft effects, weft walk, weft transcript",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
