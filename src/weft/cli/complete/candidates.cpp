#include "weft/cli/complete/candidates.hpp"

#include <algorithm>
#include <optional>

#include "weft/cli/app/command_shape.hpp"

namespace weft::cli {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void add(Candidates& out, const std::string& typed, std::string word, std::string about) {
  if (word.starts_with(typed)) out.found.push_back({std::move(word), std::move(about)});
}

void add_all(Candidates& out, std::vector<Candidate> more) {
  std::ranges::move(more, std::back_inserter(out.found));
}

void add_commands(Candidates& out, const std::string& typed) {
  for (const Command* command : all_commands()) {
    add(out, typed, std::string(command->name), std::string(command->summary));
  }
  add(out, typed, "help", "what a command does");
}

// Values of an option or a positional argument, by its placeholder.
void add_values(Candidates& out, const std::string& typed, const std::string& value,
                const StoreNames& names) {
  const bool takes_session = contains(value, "CONV") || contains(value, "SESSION");
  if (takes_session && names.sessions) add_all(out, names.sessions(typed));
  if (contains(value, "CID") && names.thoughts) add_all(out, names.thoughts(typed));
  if (value == "P" && names.projects) add_all(out, names.projects(typed));
  if (contains(value, "FILE") || contains(value, "DIR") || contains(value, "PATH")) {
    out.files = true;
  }
}

// The option that the word before is the name of, if it takes a value.
const OptionShape* option_called(const CommandShape& shape, const std::string& name) {
  const auto found = std::ranges::find_if(shape.options, [&](const OptionShape& option) {
    return !option.is_positional && std::ranges::find(option.names, name) != option.names.end();
  });
  return found == shape.options.end() || found->value.empty() ? nullptr : &*found;
}

}  // namespace

Candidates candidates_for(std::span<const std::string> words, const StoreNames& names) {
  Candidates out;
  const std::string typed = words.empty() ? std::string() : words.back();
  const Command* command = nullptr;
  bool asks_for_help = false;
  for (std::size_t i = 0; i + 1 < words.size() && command == nullptr; ++i) {
    if (words[i] == "help") asks_for_help = true;
    else if (!words[i].starts_with('-')) command = find_command(words[i]);
  }
  if (command == nullptr) {
    if (!typed.starts_with('-')) add_commands(out, typed);
    else
      for (const char* option :
           {"--help", "--version", "--json", "--home", "--store", "--keys", "--color"})
        add(out, typed, option, "");
    return out;
  }
  if (asks_for_help) return out;
  const CommandShape shape = shape_of(*command);
  const std::string before = words.size() > 1 ? words[words.size() - 2] : std::string();
  if (const OptionShape* option = option_called(shape, before)) {
    for (const std::string& value : option->one_of) add(out, typed, value, "");
    add_values(out, typed, option->value, names);
    return out;
  }
  if (typed.starts_with('-')) {
    for (const OptionShape& option : shape.options) {
      if (!option.is_positional) add(out, typed, option.names.back(), option.help);
    }
    return out;
  }
  const auto before_typed = words.first(words.size() - 1);
  const bool has_action = std::ranges::any_of(shape.actions, [&](const auto& action) {
    return std::ranges::find(before_typed, action.first) != before_typed.end();
  });
  // What stands behind an action is not offered in its place.
  if (!shape.actions.empty() && !has_action) {
    for (const auto& [action, help] : shape.actions) add(out, typed, action, help);
    return out;
  }
  for (const OptionShape& option : shape.options) {
    if (!option.is_positional) continue;
    for (const std::string& value : option.one_of) add(out, typed, value, "");
    add_values(out, typed, option.names.front(), names);
  }
  return out;
}

}  // namespace weft::cli
