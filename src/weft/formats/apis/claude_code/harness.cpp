// Parses the records that the harness writes: attachments, system records, and unknown types.
#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/apis/claude_code/messages.hpp"
#include "weft/formats/apis/claude_code/prompt_origin.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Author;
using transcript::Text;

void append_text(Reading& reading, transcript::Body body) {
  reading.blocks.push_back({.author = Author::program,
                            .body = std::move(body),
                            .index = static_cast<std::uint32_t>(reading.blocks.size())});
}

Reading skipped(std::string_view why) {
  Reading reading;
  reading.skip = why;
  return reading;
}

Reading program_text(std::string text) {
  Reading reading;
  append_text(reading, Text{.text = std::move(text)});
  return reading;
}

Reading unknown_of(const Entry& entry, std::string_view type, json::value raw) {
  Reading reading;
  if (entry.inexact) {
    transcript::Unknown unknown = anthropic::unknown_from_text(entry.value, entry.text);
    unknown.block_type = type;
    append_text(reading, std::move(unknown));
  } else {
    append_text(reading,
                transcript::Unknown{.block_type = std::string(type), .raw = std::move(raw)});
  }
  return reading;
}

// The text that the model was shown, if the record has it.
std::string rendered_text(const json::object& record) {
  const json::array* parts = find_array(record, "rendered");
  std::string text;
  if (parts == nullptr) return text;
  for (const json::value& part : *parts) {
    const json::object* object = part.if_object();
    const json::value* content = object == nullptr ? nullptr : find_member(*object, "content");
    if (content == nullptr) continue;
    const std::string words = joined_text(*content);
    if (words.empty()) continue;
    if (!text.empty()) text += '\n';
    text += words;
  }
  return text;
}

// States of the harness that carry no words of their own unless they were rendered.
bool is_state(std::string_view type) {
  constexpr std::array<std::string_view, 15> kStates = {
      "auto_mode",     "skill_listing",         "date_change",           "budget_usd",
      "date",          "command_permissions",   "plan_mode_exit",        "ultra_effort_enter",
      "model",         "ultra_effort_exit",     "environment",           "session_context",
      "dynamic_skill", "remote_session_change", "batching_reminder_sent"};
  return type.ends_with("_delta") || type.ends_with("_reminder") ||
         std::ranges::find(kStates, type) != kStates.end();
}

std::optional<std::string> own(std::optional<std::string_view> text) {
  if (!text || text->empty()) return std::nullopt;
  return std::string(*text);
}

// A file that the harness laid before the model, in one of three shapes.
std::optional<transcript::Attachment> file_of(const json::object& attachment) {
  transcript::Attachment file{.kind = "file"};
  file.name = own(find_string(attachment, "displayPath"));
  if (!file.name) file.name = own(find_string(attachment, "filename"));
  if (!file.name) file.name = own(find_string(attachment, "path"));
  file.text = own(find_string(attachment, "snippet"));
  if (const json::object* content = find_object(attachment, "content")) {
    file.text = own(find_string(*content, "content"));
    if (const json::object* inner = find_object(*content, "file")) {
      file.text = own(find_string(*inner, "content"));
    }
  }
  if (!file.name || !file.text) return std::nullopt;
  return file;
}

// The text of the attachment; empty if it has none in a known member.
std::string words_in(const json::object& attachment) {
  for (const char* key : {"content", "text", "stderr", "banner"}) {
    const json::value* value = find_member(attachment, key);
    if (value == nullptr) continue;
    if (std::string words = joined_text(*value); !words.empty()) return words;
  }
  if (const json::object* error = find_object(attachment, "blockingError")) {
    return std::string(find_string(*error, "blockingError").value_or(""));
  }
  return {};
}

Reading read_queued(const Entry& entry, const json::object& attachment) {
  const json::object* origin = find_object(attachment, "origin");
  const auto kind = origin == nullptr ? std::nullopt : find_string(*origin, "kind");
  const bool is_program = entry.is_meta || (kind && *kind != "human") ||
                          find_string(attachment, "commandMode") == "task-notification";
  Reading reading;
  if (const json::value* prompt = find_member(attachment, "prompt")) {
    append_prompt(reading, entry, *prompt, is_program);
  }
  if (reading.blocks.empty()) reading.skip = "empty";
  return reading;
}

std::string system_prompt(const json::object& attachment) {
  const json::value* parts = find_member(attachment, "systemPrompt");
  return parts == nullptr ? std::string() : joined_text(*parts);
}

Reading failure(const json::object& record, std::string_view text,
                std::initializer_list<const char*> keys) {
  transcript::Failure failure{.text = std::string(text)};
  json::object details;
  for (const char* key : keys) {
    const json::value* value = find_member(record, key);
    if (value != nullptr && !value->is_null()) details[key] = *value;
  }
  if (!details.empty()) failure.details = std::move(details);
  Reading reading;
  append_text(reading, std::move(failure));
  return reading;
}

Reading read_api_error(const json::object& record) {
  std::string_view text = find_string(record, "content").value_or("");
  if (const json::object* error = find_object(record, "error")) {
    for (const char* key : {"message", "formatted"}) {
      const auto blocks = find_string(*error, key);
      if (text.empty() && blocks) text = *blocks;
    }
  }
  if (const auto error = find_string(record, "error"); error && text.empty()) text = *error;
  return failure(record, text, {"error", "cause", "retryAttempt", "maxRetries"});
}

}  // namespace

Reading read_attachment(const Entry& entry) {
  const json::object* attachment = find_object(entry.object(), "attachment");
  if (attachment == nullptr) return skipped("empty");
  const std::string_view type = find_string(*attachment, "type").value_or("");
  if (type == "queued_command") return read_queued(entry, *attachment);
  if (std::string text = rendered_text(entry.object()); !text.empty()) {
    return program_text(std::move(text));
  }
  if (type == "prompt_snapshot") {
    std::string prompt = system_prompt(*attachment);
    return prompt.empty() ? skipped("empty") : program_text(std::move(prompt));
  }
  if (is_state(type)) return skipped("harness-state");
  if (auto file = file_of(*attachment)) {
    Reading reading;
    append_text(reading, std::move(*file));
    return reading;
  }
  if (std::string words = words_in(*attachment); !words.empty()) {
    return program_text(std::move(words));
  }
  if (type == "hook_success") return skipped("empty");
  json::object raw = *attachment;
  raw.erase("type");
  return unknown_of(entry, type, std::move(raw));
}

Reading read_system(const Entry& entry) {
  const json::object& record = entry.object();
  const std::string_view subtype = find_string(record, "subtype").value_or("");
  const std::string_view content = find_string(record, "content").value_or("");
  if (subtype == "compact_boundary" || subtype == "microcompact_boundary") {
    return skipped("compact-boundary");
  }
  if (subtype == "turn_duration") return skipped("turn-duration");
  if (subtype == "stop_hook_summary") return skipped("hook-summary");
  if (subtype == "bridge_status") return skipped("bridge-status");
  if (subtype == "api_error" || subtype == "error") return read_api_error(record);
  if (subtype == "api_refusal" || subtype == "model_refusal_fallback") {
    return failure(record, content,
                   {"apiRefusalCategory", "apiRefusalExplanation", "originalModel", "fallbackModel",
                    "trigger", "direction"});
  }
  if (content.empty()) return skipped("empty");
  Reading reading;
  if (subtype == "away_summary") {
    append_text(reading, transcript::Summary{.text = std::string(content)});
  } else if (subtype == "local_command") {
    // The command is the person's, its output the program's.
    for (PromptOrigin& words : words_of(content)) {
      const bool is_command = words.kind == PromptOrigin::Kind::command;
      append_text(reading, Text{.text = std::move(words.text)});
      reading.blocks.back().is_command = is_command;
      if (is_command) reading.blocks.back().author = Author::human;
    }
    if (reading.blocks.empty()) return skipped("empty");
  } else {
    append_text(reading, Text{.text = std::string(content)});
  }
  return reading;
}

Reading read_unknown(const Entry& entry) {
  return unknown_of(entry, entry.type, without_envelope(entry.object()));
}

}  // namespace weft::formats::claude_code
