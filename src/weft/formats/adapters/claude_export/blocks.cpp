// The blocks of claude.ai's messages. Most are Anthropic's own; here is what is peculiar to
// the web app: placeholders, search hits, and notes of its own.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_export {
namespace {

using anthropic::ParsedBlock;
using transcript::Author;
using transcript::Text;
using transcript::ToolResult;

// What the export writes, in a fence of its own, where a block was that it leaves out.
constexpr std::string_view kPlaceholder = "This block is not supported on your current device yet.";

// Whether there is nothing in `text` but placeholders.
bool is_placeholder(std::string_view text) {
  bool found = false;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    if (text.starts_with("```")) {
      text.remove_prefix(3);
    } else if (text.starts_with(kPlaceholder)) {
      text.remove_prefix(kPlaceholder.size());
      found = true;
    } else {
      return false;
    }
  }
  return found;
}

bool is_nothing(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty());
}

// Whether the block has a type and times, and nothing else.
bool is_bare(const json::object& block) {
  return std::ranges::all_of(block, [](const json::key_value_pair& member) {
    return member.key() == "type" || member.key() == "start_timestamp" ||
           member.key() == "stop_timestamp" || is_nothing(member.value());
  });
}

void append_line(std::string& text, std::string_view line) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

bool is_knowledge(const json::value& part) {
  return part.is_object() && find_string(part.get_object(), "type") == "knowledge";
}

// A search hit says its title, where it is, and its words.
std::string words_of_knowledge(const json::object& part) {
  std::string words;
  for (const std::string_view key : {"title", "url", "text"}) {
    append_line(words, find_string(part, key).value_or(""));
  }
  return words;
}

// parse_block() knows texts alone: hits are words too. In the order of the parts.
void add_knowledge(ToolResult& result) {
  if (!result.parts) return;
  if (std::ranges::none_of(*result.parts, is_knowledge)) return;
  result.text.clear();
  for (const json::value& part : *result.parts) {
    if (is_knowledge(part)) {
      append_line(result.text, words_of_knowledge(part.get_object()));
    } else if (part.is_string()) {
      append_line(result.text, view(part.get_string()));
    } else if (part.is_object()) {
      append_line(result.text, find_string(part.get_object(), "text").value_or(""));
    }
  }
}

// Where a result has nothing but what the person was shown of it, that is kept.
void add_display(ToolResult& result, const json::object& block) {
  const json::value* shown = find_member(block, "display_content");
  const bool says_nothing = result.text.empty() && !result.parts && !result.details;
  if (says_nothing && shown != nullptr && !is_nothing(*shown)) result.details = *shown;
}

Author author_of(Author sender, const transcript::Body& body) {
  if (std::holds_alternative<ToolResult>(body)) return Author::tool;
  const bool is_of_model = std::holds_alternative<transcript::Thinking>(body) ||
                           std::holds_alternative<transcript::RedactedThinking>(body) ||
                           std::holds_alternative<transcript::ToolCall>(body) ||
                           std::holds_alternative<transcript::Compaction>(body);
  return is_of_model ? Author::model : sender;
}

// Blocks that only the web app has. False for any other block.
bool add_own(std::string_view type, const json::object& block, const ParsedBlock& parsed,
             Author sender, std::uint64_t line, BlockList& blocks) {
  if (type == "token_budget" && is_bare(block)) {
    blocks.leave_out("token budget", line);
    return true;
  }
  if (type == "flag") {
    blocks.add(Author::program, parsed.body, parsed.start, parsed.stop);
    return true;
  }
  if (type == "injected_prompt_block") {
    if (const auto prompt = find_words(block, "prompt")) {
      blocks.add(Author::program, Text{.text = *prompt}, parsed.start, parsed.stop);
      return true;
    }
  }
  if (type == "voice_note") {
    std::string words(find_string(block, "title").value_or(""));
    append_line(words, find_string(block, "text").value_or(""));
    if (!words.empty()) {
      blocks.add(sender, Text{.text = std::move(words)}, parsed.start, parsed.stop);
      return true;
    }
  }
  return false;
}

}  // namespace

void add_block(const json::value& block, Author sender, std::uint64_t line, BlockList& blocks) {
  ParsedBlock parsed = anthropic::parse_block(block);
  const json::object* object = block.if_object();
  const std::string_view type = object == nullptr ? "" : find_string(*object, "type").value_or("");
  if (object != nullptr && add_own(type, *object, parsed, sender, line, blocks)) return;

  const json::value* words = type == "text" ? find_member(*object, "text") : nullptr;
  if (block.is_null() || (type == "text" && (words == nullptr || words->is_null()))) {
    blocks.leave_out(kEmptyBlock, line);
    return;
  }
  if (auto* text = std::get_if<Text>(&parsed.body)) {
    if (text->text.empty()) {
      blocks.leave_out(kEmptyBlock, line);
    } else if (is_placeholder(text->text)) {
      blocks.leave_out("placeholder", line);
    } else {
      add_text(std::move(*text), sender, parsed.start, parsed.stop, blocks);
    }
    return;
  }
  if (auto* result = std::get_if<ToolResult>(&parsed.body)) {
    add_knowledge(*result);
    add_display(*result, *object);
  }
  if (auto* thinking = std::get_if<transcript::Thinking>(&parsed.body)) {
    thinking->cut_off = thinking->cut_off || find_bool(*object, "truncated").value_or(false);
  }
  const Author author = author_of(sender, parsed.body);
  blocks.add(author, std::move(parsed.body), parsed.start, parsed.stop);
}

void name_sources(std::vector<transcript::Block>& blocks) {
  std::unordered_map<std::string, std::string> titles;  // by URL
  for (transcript::Block& block : blocks) {
    if (const auto* result = std::get_if<ToolResult>(&block.body); result && result->parts) {
      for (const json::value& part : *result->parts) {
        if (!is_knowledge(part)) continue;
        const auto url = find_words(part.get_object(), "url");
        const auto title = find_words(part.get_object(), "title");
        if (url && title) titles.try_emplace(*url, *title);
      }
    } else if (auto* text = std::get_if<Text>(&block.body)) {
      for (transcript::Citation& citation : text->citations) {
        if (citation.title || !citation.url) continue;
        const auto known = titles.find(*citation.url);
        if (known != titles.end()) citation.title = known->second;
      }
    }
  }
}

std::optional<Millis> find_time(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  return text ? parse_iso8601(*text) : std::nullopt;
}

}  // namespace weft::formats::claude_export
