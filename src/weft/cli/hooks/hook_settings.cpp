#include "weft/cli/hooks/hook_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <optional>

#include "weft/base/ascii.hpp"
#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/own_command.hpp"

namespace weft::cli {
namespace {

constexpr std::array<std::string_view, 7> kEvents = {
    "SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStop",
    "Stop",         "PreCompact",       "SessionEnd"};

// Where a handover is given: a session begins again after a compaction.
constexpr std::string_view kHandoverEvent = "SessionStart", kHandoverMatcher = "compact",
                           kHandover = "--handover";

// Far more than it needs; the agent does not wait longer for a hook.
constexpr std::int64_t kTimeoutSeconds = 10;

// Splits a command as a shell does, without expansion.
std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words;
  bool is_in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      is_in_word = false;
      continue;
    }
    if (!is_in_word) words.emplace_back();
    is_in_word = true;
    if (quote != 0 && c == quote) quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"')) quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < command.size()) words.back() += command[++i];
    else words.back() += c;
  }
  return words;
}

// `command` begins with a word.
std::size_t end_of_first_word(std::string_view command) {
  for (std::size_t end = 1; end < command.size(); ++end) {
    const bool is_blank = command[end] == ' ' || command[end] == '\t' || command[end] == '\n';
    // A blank in quotes ends no word: what is before it is another word then.
    if (is_blank && shell_words(command).front() == shell_words(command.substr(0, end)).front()) {
      return end;
    }
  }
  return command.size();
}

std::unexpected<Error> wrong(std::string_view what) {
  return fail(ErrorCode::invalid_input, std::string(what));
}

Result<json::object> parse_settings(std::string_view text) {
  if (is_blank(text)) return json::object();
  WEFT_TRY_VALUE(auto parsed, parse_json(text));
  if (!parsed.value.is_object() || parsed.inexact) {
    return wrong("it is not a JSON object that can be written back unchanged");
  }
  return std::move(parsed.value.get_object());
}

// The indentation of one level; two spaces if the text does not show it.
std::string indentation_of(std::string_view text) {
  const std::size_t line = text.find("\n");
  if (line == std::string_view::npos) return "  ";
  const std::size_t end = text.find_first_not_of(" \t", line + 1);
  if (end == std::string_view::npos || end == line + 1) return "  ";
  return std::string(text.substr(line + 1, end - line - 1));
}

// Formats the settings like the file: with its indentation, and its final newline or none.
std::string laid_out(const json::object& settings, std::string_view before) {
  const std::string unit = indentation_of(before);
  const std::string pretty = pretty_json(settings);
  std::string out;
  for (std::size_t at = 0; at < pretty.size();) {
    const std::size_t end = std::min(pretty.find('\n', at), pretty.size());
    const std::size_t words = std::min(pretty.find_first_not_of(' ', at), end);
    for (std::size_t level = 0; level < (words - at) / 2; ++level) out += unit;
    out.append(pretty, words, end - words);
    if (end < pretty.size()) out += '\n';
    at = end + 1;
  }
  if (is_blank(before) || before.ends_with('\n')) out += '\n';
  return out;
}

bool is_ours(const json::value& hook) {
  const json::object* object = hook.if_object();
  return object != nullptr && is_weft_hook(find_string(*object, "command").value_or(""));
}

// The array of matchers of an event, created if missing; null if it is something else.
json::array* matchers_of(json::object& hooks, std::string_view event) {
  json::value& value = hooks[event];
  if (value.is_null()) value = json::array();
  return value.if_array();
}

// Whether it is one that hands over.
bool is_handover(const json::value& hook) {
  const std::vector<std::string> words = shell_words(*find_string(hook.get_object(), "command"));
  return std::ranges::find(words, kHandover) != words.end();
}

enum class Purpose { ingest, handover };

// Makes every weft hook of an event that has this purpose run `command`; false if there is none.
bool renew(json::array& matchers, Purpose purpose, const std::string& command) {
  bool is_there = false;
  for (json::value& matcher : matchers) {
    json::value* hooks = matcher.is_object() ? matcher.get_object().if_contains("hooks") : nullptr;
    if (hooks == nullptr || !hooks->is_array()) continue;
    for (json::value& hook : hooks->get_array()) {
      if (!is_ours(hook) || is_handover(hook) != (purpose == Purpose::handover)) continue;
      hook.get_object()["command"] = command;
      is_there = true;
    }
  }
  return is_there;
}

json::object matcher_with(std::string_view pattern, const std::string& command) {
  json::object matcher;
  if (!pattern.empty()) matcher["matcher"] = pattern;
  matcher["hooks"] = json::array{
      json::object{{"type", "command"}, {"command", command}, {"timeout", kTimeoutSeconds}}};
  return matcher;
}

// Calls `visit` with the command of each of weft's hooks, which is a string.
void each_command(json::object& settings, const std::function<void(json::value&)>& visit) {
  json::value* events = settings.if_contains("hooks");
  if (events == nullptr || !events->is_object()) return;
  for (auto& [event, matchers] : events->get_object()) {
    if (!matchers.is_array()) continue;
    for (json::value& matcher : matchers.get_array()) {
      json::value* hooks =
          matcher.is_object() ? matcher.get_object().if_contains("hooks") : nullptr;
      if (hooks == nullptr || !hooks->is_array()) continue;
      for (json::value& hook : hooks->get_array()) {
        if (is_ours(hook)) visit(hook.get_object()["command"]);
      }
    }
  }
}

// True if the matcher contained weft's hooks and nothing else.
bool strip(json::value& matcher) {
  json::value* hooks = matcher.is_object() ? matcher.get_object().if_contains("hooks") : nullptr;
  if (hooks == nullptr || !hooks->is_array()) return false;
  json::array& list = hooks->get_array();
  const std::size_t before = list.size();
  json::array kept;
  for (const json::value& hook : list) {
    if (!is_ours(hook)) kept.push_back(hook);
  }
  if (kept.size() == before) return false;
  list = std::move(kept);
  return list.empty();
}

}  // namespace

std::filesystem::path hook_settings_path(const std::filesystem::path& home) {
  const char* directory = std::getenv("CLAUDE_CONFIG_DIR");
  const bool is_set = directory != nullptr && *directory != '\0';
  return (is_set ? std::filesystem::path(directory) : home / ".claude") / "settings.json";
}

std::span<const std::string_view> hook_events() { return kEvents; }

bool is_weft_hook(std::string_view command) {
  const std::vector<std::string> words = shell_words(command);
  if (words.size() < 2 || words[1] != "hook") return false;
  const std::string& program = words[0];
  return program.substr(program.rfind('/') + 1) == "weft";
}

Result<std::string> with_hooks(std::string_view text, const HookCommands& commands) {
  WEFT_TRY_VALUE(auto settings, parse_settings(text));
  const json::object before = settings;
  json::value& hooks = settings["hooks"];
  if (hooks.is_null()) hooks = json::object();
  if (!hooks.is_object()) return wrong("\"hooks\" is not a JSON object");
  for (const std::string_view event : kEvents) {
    json::array* matchers = matchers_of(hooks.get_object(), event);
    if (matchers == nullptr) return wrong("\"" + std::string(event) + "\" is not a list");
    if (!renew(*matchers, Purpose::ingest, commands.ingest)) {
      matchers->push_back(matcher_with(event == "PostToolUse" ? "*" : "", commands.ingest));
    }
    if (event != kHandoverEvent) continue;
    if (!renew(*matchers, Purpose::handover, commands.handover) && commands.adds_handover) {
      matchers->push_back(matcher_with(kHandoverMatcher, commands.handover));
    }
  }
  return settings == before ? std::string(text) : laid_out(settings, text);
}

std::vector<std::string> hook_programs(std::string_view text) {
  std::vector<std::string> programs;
  Result<json::object> settings = parse_settings(text);
  if (!settings) return programs;
  each_command(*settings, [&](json::value& command) {
    programs.push_back(shell_words(view(command.get_string())).front());
  });
  std::ranges::sort(programs);
  programs.erase(std::ranges::unique(programs).begin(), programs.end());
  return programs;
}

Result<std::string> with_hook_program(std::string_view text, const std::string& from,
                                      const std::string& to) {
  WEFT_TRY_VALUE(auto settings, parse_settings(text));
  const json::object before = settings;
  each_command(settings, [&](json::value& command) {
    const std::string words(view(command.get_string()));
    if (shell_words(words).front() != from) return;
    command = quoted_for_shell({to}) + words.substr(end_of_first_word(words));
  });
  return settings == before ? std::string(text) : laid_out(settings, text);
}

Result<std::string> without_hooks(std::string_view text) {
  WEFT_TRY_VALUE(auto settings, parse_settings(text));
  json::value* found = settings.if_contains("hooks");
  if (found == nullptr || !found->is_object()) return std::string(text);
  const json::object before = settings;
  json::object kept;
  for (auto& [event, value] : found->get_object()) {
    json::array* matchers = value.if_array();
    if (matchers == nullptr) {
      kept[event] = value;
      continue;
    }
    json::array left;
    for (json::value& matcher : *matchers) {
      if (!strip(matcher)) left.push_back(matcher);
    }
    const bool is_emptied = left.empty() && !matchers->empty();
    if (!is_emptied) kept[event] = std::move(left);
  }
  const bool is_emptied = kept.empty() && !found->get_object().empty();
  if (is_emptied) settings.stable_erase(settings.find("hooks"));
  else *found = std::move(kept);
  return settings == before ? std::string(text) : laid_out(settings, text);
}

}  // namespace weft::cli
