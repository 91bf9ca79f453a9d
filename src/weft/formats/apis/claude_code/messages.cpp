// Parses user and assistant records, which hold parts of Anthropic messages.
#include "weft/formats/apis/claude_code/messages.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/claude_code/prompt_origin.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::claude_code {
namespace {

using anthropic::ParsedBlock;
using transcript::Author;
using transcript::Text;
using transcript::ToolResult;

constexpr std::string_view kSynthetic = "<synthetic>";
constexpr std::string_view kPersisted = "<persisted-output>";

const json::value& null_value() {
  static const json::value kNull;
  return kNull;
}

const json::value& content_of(const Entry& entry) {
  const json::object* message = find_object(entry.object(), "message");
  const json::value* content = message == nullptr ? nullptr : find_member(*message, "content");
  return content == nullptr ? null_value() : *content;
}

// The text of a member of the object whose text is `text`; of one that is there twice, the
// last, as parse_json has it. Empty if there is none.
std::string_view member_text(std::string_view text, std::string_view key) {
  std::string_view found;
  for (const JsonPiece& piece : cut_json(text, {})) {
    if (piece.member == key) found = piece.text;
  }
  return found;
}

// The blocks of a record whose JSON no value can hold: the blocks that cause this are kept as
// their text.
std::vector<ParsedBlock> inexact_blocks(const Entry& entry) {
  std::vector<ParsedBlock> blocks;
  const std::string_view content = member_text(member_text(entry.text, "message"), "content");
  if (content.empty()) return blocks;
  std::vector<JsonPiece> pieces;
  if (content.starts_with('[')) {
    pieces = cut_json(content, {});
  } else {
    pieces.push_back({.text = content});
  }
  for (const JsonPiece& piece : pieces) {
    const Result<ParsedJson> parsed = parse_json(piece.text);
    if (!parsed || parsed->inexact) {
      blocks.push_back({.body = anthropic::unknown_from_text(parsed ? parsed->value : null_value(),
                                                             piece.text)});
    } else {
      blocks.push_back(anthropic::parse_block(parsed->value));
    }
  }
  return blocks;
}

std::vector<ParsedBlock> blocks_of(const Entry& entry, const json::value& content,
                                   Reading& reading) {
  std::vector<ParsedBlock> blocks;
  if (entry.inexact && &content == &content_of(entry)) {
    blocks = inexact_blocks(entry);
  } else if (const json::array* array = content.if_array()) {
    for (const json::value& block : *array) {
      if (blocks.size() > kMaxBlocks) break;
      blocks.push_back(anthropic::parse_block(block));
    }
  } else if (!content.is_null()) {
    blocks.push_back(anthropic::parse_block(content));
  }
  if (blocks.size() > kMaxBlocks) {
    blocks.resize(kMaxBlocks);
    reading.is_cut_short = true;
  }
  return blocks;
}

void append_text(Reading& reading, Author author, transcript::Body body) {
  reading.blocks.push_back({.author = author,
                            .body = std::move(body),
                            .index = static_cast<std::uint32_t>(reading.blocks.size())});
}

void append_words(Reading& reading, std::string_view text, bool is_program) {
  if (is_program) {
    append_text(reading, Author::program, Text{.text = std::string(text)});
    return;
  }
  for (PromptOrigin& words : words_of(text)) {
    if (words.kind == PromptOrigin::Kind::compaction) {
      append_text(reading, Author::model, transcript::Compaction{.summary = std::move(words.text)});
      continue;
    }
    const bool is_person = words.kind != PromptOrigin::Kind::program;
    append_text(reading, is_person ? Author::human : Author::program,
                Text{.text = std::move(words.text)});
    reading.blocks.back().is_command = words.kind == PromptOrigin::Kind::command;
  }
}

// Whether no person typed this record, whatever its text is.
bool is_of_program(const Entry& entry) {
  if (entry.is_meta) return true;
  if (find_string(entry.object(), "promptSource") == "system") return true;
  const json::object* origin = find_object(entry.object(), "origin");
  const auto kind = origin == nullptr ? std::nullopt : find_string(*origin, "kind");
  return kind && *kind != "human";
}

// Leaves out the members that only repeat the result's text.
std::optional<json::value> details_of(const json::value& structured, std::string_view text) {
  if (structured.is_null()) return std::nullopt;
  if (structured.is_string()) {
    std::string_view blocks = view(structured.get_string());
    constexpr std::string_view kError = "Error: ";
    if (blocks == text) return std::nullopt;
    if (blocks.starts_with(kError) && blocks.substr(kError.size()) == text) return std::nullopt;
    return structured;
  }
  if (structured.is_array() && joined_text(structured) == text) return std::nullopt;
  const json::object* object = structured.if_object();
  if (object == nullptr) return structured;
  json::object details;
  for (const auto& member : *object) {
    const json::value& value = member.value();
    const bool is_same = value.is_string()  ? view(value.get_string()) == text
                         : value.is_array() ? !text.empty() && joined_text(value) == text
                                            : false;
    if (!is_same) details[member.key()] = value;
  }
  if (details.empty()) return std::nullopt;
  return details;
}

// The same for a record whose JSON a value may not hold.
std::optional<json::value> details_in(const Entry& entry, const json::value& structured,
                                      std::string_view text) {
  if (!entry.inexact) return details_of(structured, text);
  const std::string_view own = member_text(entry.text, "toolUseResult");
  const Result<ParsedJson> parsed = parse_json(own);
  if (parsed && !parsed->inexact) return details_of(parsed->value, text);
  return json::value(json::string(own));
}

// The file that holds a result too long for the transcript.
std::optional<std::string> kept_path(const ToolResult& result, const json::object* structured) {
  if (structured != nullptr) {
    if (const auto path = find_string(*structured, "persistedOutputPath")) {
      return std::string(*path);
    }
  }
  if (!result.text.starts_with(kPersisted)) return std::nullopt;
  constexpr std::string_view kSaved = "saved to: ";
  const std::size_t at = result.text.find(kSaved);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t from = at + kSaved.size();
  return result.text.substr(from, result.text.find('\n', from) - from);
}

// Blocks beside the results of tools are never a person's.
void append_results(Reading& reading, const Entry& entry, std::vector<ParsedBlock> blocks) {
  const bool is_single = std::ranges::count_if(blocks, [](const ParsedBlock& block) {
                           return std::holds_alternative<ToolResult>(block.body);
                         }) == 1;
  const json::value* structured = find_member(entry.object(), "toolUseResult");
  for (ParsedBlock& block : blocks) {
    auto* result = std::get_if<ToolResult>(&block.body);
    if (result != nullptr && is_single) {
      if (result->call_id.empty()) {
        result->call_id = find_string(entry.object(), "sourceToolUseID").value_or("");
      }
      if (structured != nullptr && !result->details) {
        result->details = details_in(entry, *structured, result->text);
      }
    }
    if (result != nullptr) {
      const json::object* object =
          is_single && structured != nullptr ? structured->if_object() : nullptr;
      if (auto path = kept_path(*result, object)) {
        reading.kept.push_back(
            {static_cast<std::uint32_t>(reading.blocks.size()), std::move(*path)});
      }
    }
    const bool is_of_tool =
        result != nullptr || std::holds_alternative<transcript::Attachment>(block.body);
    append_text(reading, is_of_tool ? Author::tool : Author::program, std::move(block.body));
  }
}

void append_prompt_blocks(Reading& reading, std::vector<ParsedBlock> blocks, bool is_program) {
  for (ParsedBlock& block : blocks) {
    if (const auto* text = std::get_if<Text>(&block.body)) {
      append_words(reading, text->text, is_program);
      continue;
    }
    const bool is_word = std::holds_alternative<transcript::Attachment>(block.body);
    append_text(reading, is_word && !is_program ? Author::human : Author::program,
                std::move(block.body));
  }
}

bool is_error(const Entry& entry) {
  if (find_bool(entry.object(), "isApiErrorMessage").value_or(false)) return true;
  const json::value* error = find_member(entry.object(), "error");
  return error != nullptr && !error->is_null();
}

transcript::Failure failure_of(const Entry& entry) {
  transcript::Failure failure{.text = joined_text(content_of(entry))};
  json::object details;
  for (const char* key : {"error", "errorDetails", "apiErrorStatus"}) {
    const json::value* value = find_member(entry.object(), key);
    if (value != nullptr && !value->is_null()) details[key] = *value;
  }
  if (!details.empty()) failure.details = std::move(details);
  return failure;
}

}  // namespace

std::string joined_text(const json::value& content) {
  if (content.is_string()) return std::string(view(content.get_string()));
  std::string joined;
  const json::array* parts = content.if_array();
  if (parts == nullptr) return joined;
  bool is_first = true;
  for (const json::value& part : *parts) {
    std::optional<std::string_view> text;
    if (part.is_string()) text = view(part.get_string());
    if (const json::object* object = part.if_object()) text = find_string(*object, "text");
    if (!text) continue;
    if (!is_first) joined += '\n';
    is_first = false;
    joined += *text;
  }
  return joined;
}

void append_prompt(Reading& reading, const Entry& entry, const json::value& content,
                   bool is_program) {
  append_prompt_blocks(reading, blocks_of(entry, content, reading), is_program);
}

Reading read_user(const Entry& entry) {
  Reading reading;
  const json::value& content = content_of(entry);
  if (find_bool(entry.object(), "isCompactSummary").value_or(false)) {
    append_text(reading, Author::model, transcript::Compaction{.summary = joined_text(content)});
    return reading;
  }
  std::vector<ParsedBlock> blocks = blocks_of(entry, content, reading);
  const bool has_result = std::ranges::any_of(blocks, [](const ParsedBlock& block) {
    return std::holds_alternative<ToolResult>(block.body);
  });
  if (has_result) {
    append_results(reading, entry, std::move(blocks));
  } else {
    append_prompt_blocks(reading, std::move(blocks), is_of_program(entry));
  }
  if (reading.blocks.empty()) reading.skip = "empty";
  return reading;
}

Reading read_assistant(const Entry& entry) {
  Reading reading;
  const json::value& content = content_of(entry);
  const json::object* message = find_object(entry.object(), "message");
  if (message != nullptr) {
    reading.message_id = find_id(*message, "id");
    const auto model = find_string(*message, "model");
    if (model && !model->empty()) reading.model = std::string(*model);
  }
  const bool is_synthetic = reading.model == kSynthetic;
  if (is_error(entry) && (is_synthetic || find_bool(entry.object(), "isApiErrorMessage") == true)) {
    append_text(reading, Author::program, failure_of(entry));
    reading.model.reset();
    return reading;
  }
  for (ParsedBlock& block : blocks_of(entry, content, reading)) {
    const bool is_result = std::holds_alternative<ToolResult>(block.body);
    const Author author =
        is_result ? Author::tool : (is_synthetic ? Author::program : Author::model);
    append_text(reading, author, std::move(block.body));
    reading.blocks.back().start = block.start;
    reading.blocks.back().stop = block.stop;
  }
  if (is_synthetic) {
    reading.model.reset();
    reading.message_id.reset();
  }
  if (reading.blocks.empty()) reading.skip = "empty";
  return reading;
}

}  // namespace weft::formats::claude_code
