#include "weft/formats/adapters/cline/calls.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::cline {
namespace {

using transcript::Author;
using transcript::ToolCall;

constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz_";
// Of Cline, Roo Code and Kilo Code.
constexpr std::array<std::string_view, 31> kTools = {"access_mcp_resource",
                                                     "apply_diff",
                                                     "ask_followup_question",
                                                     "attempt_completion",
                                                     "browser_action",
                                                     "codebase_search",
                                                     "condense",
                                                     "delete_file",
                                                     "edit_file",
                                                     "execute_command",
                                                     "fetch_instructions",
                                                     "focus_chain",
                                                     "generate_image",
                                                     "insert_content",
                                                     "list_code_definition_names",
                                                     "list_files",
                                                     "load_mcp_documentation",
                                                     "new_rule",
                                                     "new_task",
                                                     "plan_mode_respond",
                                                     "read_file",
                                                     "replace_in_file",
                                                     "report_bug",
                                                     "run_slash_command",
                                                     "search_and_replace",
                                                     "search_files",
                                                     "switch_mode",
                                                     "update_todo_list",
                                                     "use_mcp_tool",
                                                     "web_fetch",
                                                     "write_to_file"};

std::string_view without_blanks_before(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kBlanks) == std::string_view::npos;
}

// The name in "<name>" at the beginning of `text`; empty if there is none.
std::string_view tag_at(std::string_view text) {
  if (!text.starts_with('<')) return {};
  const std::size_t end = text.find_first_not_of(kNameLetters, 1);
  if (end == std::string_view::npos || text[end] != '>') return {};
  return text.substr(1, end - 1);
}

// What is between <name>, at the beginning of `text`, and its end. Empty if there is not
// exactly one of it.
struct Element {
  std::string_view inside, after;
};
std::optional<Element> element_at(std::string_view text, std::string_view name) {
  const std::string close = "</" + std::string(name) + ">";
  const std::size_t from = name.size() + 2;
  const std::size_t at = text.find(close, from);
  if (at == std::string_view::npos || text.find(close, at + 1) != std::string_view::npos)
    return std::nullopt;
  return Element{text.substr(from, at - from), text.substr(at + close.size())};
}

std::optional<json::object> parse_parameters(std::string_view text) {
  constexpr std::size_t kMost = 64;  // each looks through the rest of the text
  json::object input;
  for (text = without_blanks_before(text); !text.empty(); text = without_blanks_before(text)) {
    const std::string_view name = tag_at(text);
    if (name.empty() || input.contains(name) || input.size() == kMost) return std::nullopt;
    const auto element = element_at(text, name);
    if (!element) return std::nullopt;
    input[name] = json::string(element->inside);
    text = element->after;
  }
  return input;
}

struct FoundCall {
  std::size_t at = 0;
  ToolCall call;
};
std::optional<FoundCall> find_call(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view name = tag_at(text.substr(at));
    if (std::ranges::find(kTools, name) == kTools.end()) continue;
    const auto element = element_at(text.substr(at), name);
    if (!element || !is_blank(element->after)) return std::nullopt;
    auto input = parse_parameters(element->inside);
    if (!input) return std::nullopt;
    return FoundCall{at, {.id = {}, .name = std::string(name), .input = *std::move(input)}};
  }
  return std::nullopt;
}

}  // namespace

std::vector<AuthoredBlock> parse_model_text(std::string_view text) {
  constexpr std::string_view kThinking = "thinking";
  std::vector<AuthoredBlock> blocks;
  if (const std::string_view start = without_blanks_before(text); tag_at(start) == kThinking) {
    if (const auto element = element_at(start, kThinking)) {
      transcript::Thinking thinking;
      thinking.text = element->inside;
      blocks.push_back({Author::model, std::move(thinking)});
      text = without_blanks_before(element->after);
    }
  }
  auto call = find_call(text);
  std::string_view words = text.substr(0, call ? call->at : text.size());
  if (call) words = words.substr(0, words.find_last_not_of(kBlanks) + 1);
  if (!is_blank(words)) {
    blocks.push_back(
        {Author::model, transcript::Text{.text = std::string(words), .citations = {}}});
  }
  if (call) blocks.push_back({Author::model, std::move(call->call)});
  return blocks;
}

}  // namespace weft::formats::cline
