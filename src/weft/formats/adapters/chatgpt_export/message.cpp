// One message: who speaks, and what its content is.
//
// A message of the model's to anyone but "all" is a call; one of a tool is a result. Neither has
// an id, so a call is called by its node.
#include <algorithm>
#include <array>

#include "weft/formats/adapters/chatgpt_export/chatgpt_export.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/unix_time.hpp"

namespace weft::formats::chatgpt_export {
namespace {

using transcript::Author;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolResult;

bool is_hidden(const json::object& message) {
  const json::object* metadata = find_object(message, "metadata");
  return metadata != nullptr &&
         find_bool(*metadata, "is_visually_hidden_from_conversation").value_or(false);
}

std::string_view role_of(const json::object& message) {
  const json::object* author = find_object(message, "author");
  return author == nullptr ? "" : find_string(*author, "role").value_or("");
}

// What a person did not type, though it stands where they speak, is the program's.
Author author_of(const json::object& message, std::string_view type) {
  const std::string_view role = role_of(message);
  if (role == "assistant") return Author::model;
  if (role == "tool") return Author::tool;
  const bool is_context = type.ends_with("_editable_context");
  return role == "user" && !is_context && !is_hidden(message) ? Author::human : Author::program;
}

Text words(std::string text) { return {.text = std::move(text), .citations = {}}; }

// The strings of `parts`, or of the member that holds all of the content.
std::string text_of(const json::object& content) {
  constexpr std::array<std::string_view, 6> kMembers = {
      "text", "result", "content", "summary", "output_str", "model_set_context"};
  std::string all;
  if (const json::array* parts = find_array(content, "parts")) {
    for (const json::value& part : *parts) {
      const json::object* object = part.if_object();
      std::string_view text;
      if (part.is_string()) text = view(part.get_string());
      else if (object != nullptr) text = find_string(*object, "text").value_or("");
      if (text.empty()) continue;
      if (!all.empty()) all += '\n';
      all += text;
    }
  }
  for (const std::string_view member : kMembers) {
    if (all.empty()) all = find_words(content, member).value_or("");
  }
  return all;
}

// What was shown of the thinking, and how long it took.
void add_thoughts(const json::object& content, std::vector<AuthoredBlock>& blocks) {
  const auto add = [&](std::string text, std::vector<std::string> summaries) {
    if (text.empty() && summaries.empty()) return;
    Thinking thinking{.text = std::move(text), .signature = {}, .summaries = std::move(summaries)};
    blocks.push_back({.author = Author::model, .body = std::move(thinking)});
  };
  const json::array* thoughts = find_array(content, "thoughts");
  if (thoughts == nullptr) {
    add(text_of(content), {});
    return;
  }
  for (const json::value& value : *thoughts) {
    const json::object* thought = value.if_object();
    if (thought == nullptr) continue;
    std::string text = find_words(*thought, "content").value_or("");
    if (const json::array* chunks = find_array(*thought, "chunks"); chunks && text.empty()) {
      for (const json::value& chunk : *chunks) {
        if (chunk.is_string()) text += view(chunk.get_string());
      }
    }
    std::vector<std::string> summaries;
    if (const auto summary = find_words(*thought, "summary")) summaries.push_back(*summary);
    add(std::move(text), std::move(summaries));
  }
}

void add_recap(const json::object& message, const json::object& content,
               std::vector<AuthoredBlock>& blocks) {
  std::string text = text_of(content);
  if (text.empty()) return;
  AuthoredBlock recap{.author = Author::model,
                      .body = Thinking{.text = std::move(text), .signature = {}, .summaries = {}}};
  if (const json::object* metadata = find_object(message, "metadata")) {
    const auto start = find_unix_time(*metadata, "reasoning_start_time");
    const auto stop = find_unix_time(*metadata, "reasoning_end_time");
    if (start && stop && *start <= *stop) {
      recap.start = start;
      recap.stop = stop;
    }
  }
  blocks.push_back(std::move(recap));
}

json::value parse_input(std::string_view text) {
  Result<ParsedJson> parsed = parse_json(text);
  const bool is_structure = parsed && (parsed->value.is_object() || parsed->value.is_array());
  if (is_structure && !parsed->inexact) return std::move(parsed->value);
  return json::value(text);
}

void add_call(const json::object& message, const json::object& content, std::string_view id,
              std::vector<AuthoredBlock>& blocks) {
  transcript::ToolCall call{.id = std::string(id),
                            .name = std::string(called_tool(message)),
                            .input = parse_input(text_of(content))};
  blocks.push_back({.author = Author::model, .body = std::move(call)});
}

// Whether the code that ran ended in an exception.
bool has_failed(const json::object& aggregate) {
  const auto status = find_string(aggregate, "status");
  if (status && status->starts_with("failed")) return true;
  const json::value* exception = find_member(aggregate, "in_kernel_exception");
  return exception != nullptr && !exception->is_null();
}

void add_result(const json::object& message, const json::object& content, std::string_view type,
                std::string_view call, std::vector<AuthoredBlock>& blocks) {
  ToolResult result{.call_id = std::string(call), .name = std::string(answering_tool(message))};
  result.text = text_of(content);
  json::object details;
  for (const std::string_view key : {"url", "domain", "title", "tether_id", "state"}) {
    const json::value* value = find_member(content, key);
    if (value != nullptr && !value->is_null()) details[key] = *value;
  }
  if (const json::object* metadata = find_object(message, "metadata")) {
    if (const json::object* aggregate = find_object(*metadata, "aggregate_result")) {
      result.is_error = has_failed(*aggregate);
      details["aggregate_result"] = *aggregate;
    }
  }
  if (type == "system_error") {
    result.is_error = true;
    if (const auto name = find_words(content, "name")) details["name"] = *name;
  }
  if (!details.empty()) result.details = std::move(details);
  blocks.push_back({.author = Author::tool, .body = std::move(result)});
}

// What a person wants the model to know of them, and how to answer.
void add_instructions(const json::object& content, std::vector<AuthoredBlock>& blocks) {
  for (const std::string_view key : {"user_profile", "user_instructions"}) {
    if (const auto text = find_words(content, key)) {
      blocks.push_back({.author = Author::program, .body = words(*text)});
    }
  }
}

bool is_words(std::string_view type) {
  return type == "text" || type == "multimodal_text" || type == "code" ||
         type == "execution_output" || type == "model_editable_context";
}

void add_words(const json::object& message, const json::object& content, Author author,
               std::vector<AuthoredBlock>& blocks) {
  const json::array* parts = find_array(content, "parts");
  if (parts == nullptr) {
    std::string text = text_of(content);
    if (!text.empty()) blocks.push_back({.author = author, .body = cite(std::move(text), message)});
  }
  Assets assets(author);
  bool is_first = true;  // of the texts: places in the text are those of the first
  for (std::size_t i = 0; parts != nullptr && i < parts->size(); ++i) {
    const json::value& part = (*parts)[i];
    if (!part.is_string()) {
      assets.add_part(part, blocks);
      continue;
    }
    std::string text(view(part.get_string()));
    if (text.empty()) continue;
    Text body = is_first ? cite(std::move(text), message) : words(std::move(text));
    blocks.push_back({.author = author, .body = std::move(body)});
    is_first = false;
  }
  assets.add_attachments(message, blocks);
}

}  // namespace

std::string_view called_tool(const json::object& message) {
  if (role_of(message) != "assistant") return {};
  const std::string_view recipient = find_string(message, "recipient").value_or("");
  if (recipient == "all") return {};
  // Thoughts are addressed to whom they are about, too.
  const json::object* content = find_object(message, "content");
  const auto type = content == nullptr ? std::nullopt : find_string(*content, "content_type");
  return type == "thoughts" || type == "reasoning_recap" ? std::string_view() : recipient;
}

std::string_view answering_tool(const json::object& message) {
  if (role_of(message) != "tool") return {};
  return find_string(*find_object(message, "author"), "name").value_or("tool");
}

Message parse_message(const json::object& message, std::string_view id, std::string_view call) {
  const json::object* content = find_object(message, "content");
  if (content == nullptr) return {.skipped = "empty"};
  const std::string_view type = find_string(*content, "content_type").value_or("");
  const Author author = author_of(message, type);
  Message parsed;
  if (type == "thoughts") {
    add_thoughts(*content, parsed.blocks);
  } else if (type == "reasoning_recap") {
    add_recap(message, *content, parsed.blocks);
  } else if (author == Author::tool) {
    add_result(message, *content, type, call, parsed.blocks);
    Assets assets(author);
    const json::array* parts = find_array(*content, "parts");
    for (std::size_t i = 0; parts != nullptr && i < parts->size(); ++i) {
      if ((*parts)[i].is_object()) assets.add_part((*parts)[i], parsed.blocks);
    }
    if (const json::value* screen = find_member(*content, "screenshot")) {
      assets.add_part(*screen, parsed.blocks);
    }
    assets.add_attachments(message, parsed.blocks);
  } else if (!called_tool(message).empty()) {
    add_call(message, *content, id, parsed.blocks);
  } else if (type == "user_editable_context") {
    add_instructions(*content, parsed.blocks);
  } else if (type == "system_error") {
    parsed.blocks.push_back(
        {.author = Author::program, .body = transcript::Failure{.text = text_of(*content)}});
  } else if (is_words(type)) {
    add_words(message, *content, author, parsed.blocks);
  } else {
    parsed.blocks.push_back(
        {.author = author,
         .body = transcript::Unknown{
             .block_type = std::string(type), .raw = *content, .raw_text = std::nullopt}});
  }
  if (parsed.blocks.empty()) parsed.skipped = is_hidden(message) ? "hidden" : "empty";
  return parsed;
}

}  // namespace weft::formats::chatgpt_export
