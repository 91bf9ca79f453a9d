#include <charconv>
#include <utility>

#include "weft/formats/adapters/anthropic_blocks.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Attachment;
using transcript::Block;
using transcript::Citation;
using transcript::Compaction;
using transcript::Failure;
using transcript::RedactedThinking;
using transcript::Summary;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

void append_double(std::string& out, double value) {
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, value);
  const std::string_view digits(buffer, written.ptr);
  out += digits;
  if (digits.find_first_of(".e") == std::string_view::npos) out += ".0";
}

json::object citation_json(const Citation& citation) {
  json::object out;
  if (citation.url) out["url"] = *citation.url;
  if (citation.title) out["title"] = *citation.title;
  if (citation.indices) {
    out["indices"] = json::array{citation.indices->first, citation.indices->second};
  }
  if (citation.text) out["cited_text"] = *citation.text;
  if (citation.document) out["document_index"] = *citation.document;
  return out;
}

json::object body_json(const Text& text) {
  json::array citations;
  for (const Citation& citation : text.citations) citations.push_back(citation_json(citation));
  return {{"type", "text"}, {"text", text.text}, {"citations", std::move(citations)}};
}

json::object body_json(const Thinking& thinking) {
  json::array summaries;
  for (const std::string& summary : thinking.summaries) {
    summaries.push_back(json::object{{"summary", summary}});
  }
  json::object out{{"type", "thinking"},
                   {"thinking", thinking.text},
                   {"summaries", std::move(summaries)},
                   {"cut_off", thinking.cut_off}};
  if (thinking.signature) out["signature"] = *thinking.signature;
  return out;
}

json::object body_json(const RedactedThinking& thinking) {
  return {{"type", "redacted_thinking"}, {"data", thinking.data}};
}

json::object body_json(const ToolCall& call) {
  json::object out{{"type", "tool_use"}};
  if (!call.id.empty()) out["id"] = call.id;
  out["name"] = call.name;
  out["input"] = call.input;
  const json::object* input = call.input.if_object();
  const bool is_in_input = input != nullptr && find_string(*input, "description");
  if (call.description && !is_in_input) out["description"] = *call.description;
  if (call.display_text) {
    out["message"] = *call.display_text;
    out["display_content"] = json::object{{"type", "text"}, {"text", *call.display_text}};
  }
  return out;
}

json::object body_json(const ToolResult& result) {
  json::array content;
  if (result.parts) {
    content = *result.parts;
  } else if (!result.text.empty() || result.uuid) {
    json::object part{{"type", "text"}, {"text", result.text}};
    if (result.uuid) part["uuid"] = *result.uuid;
    content.push_back(std::move(part));
  }
  json::object out{{"type", "tool_result"}};
  if (!result.call_id.empty()) out["tool_use_id"] = result.call_id;
  if (!result.name.empty()) out["name"] = result.name;
  out["content"] = std::move(content);
  out["is_error"] = result.is_error;
  if (result.details) out["structured_content"] = *result.details;
  return out;
}

json::object body_json(const Attachment& attachment) { return attachment_json(attachment); }

json::object body_json(const Compaction& compaction) {
  return {{"type", "compaction"}, {"content", compaction.summary}};
}

json::object body_json(const Summary& summary) {
  return {{"type", "summary"}, {"text", summary.text}};
}

json::object body_json(const Failure& failure) {
  json::object out{{"type", "failure"}, {"text", failure.text}};
  if (failure.details) out["details"] = *failure.details;
  return out;
}

}  // namespace

void append_json(std::string& out, const json::value& value) {
  if (const json::array* array = value.if_array()) {
    out += '[';
    for (const json::value& element : *array) {
      if (&element != array->begin()) out += ',';
      append_json(out, element);
    }
    out += ']';
  } else if (const json::object* object = value.if_object()) {
    out += '{';
    for (const json::key_value_pair& member : *object) {
      if (&member != object->begin()) out += ',';
      append_canonical_string(out, {member.key().data(), member.key().size()});
      out += ':';
      append_json(out, member.value());
    }
    out += '}';
  } else if (value.is_double()) {
    append_double(out, value.get_double());
  } else {
    append_canonical(out, value);
  }
}

void append_block(std::string& out, const Block& block, WithModel with_model) {
  if (const auto* unknown = std::get_if<Unknown>(&block.body)) {
    if (unknown->raw_text) {
      out += *unknown->raw_text;
    } else {
      append_json(out, unknown->raw);
    }
    return;
  }
  json::object whole;
  if (block.start) whole["start_timestamp"] = to_iso8601(*block.start);
  if (block.stop) whole["stop_timestamp"] = to_iso8601(*block.stop);
  const json::object body = std::visit(
      []<class T>(const T& known) -> json::object {
        if constexpr (std::is_same_v<T, Unknown>) {
          return {};
        } else {
          return body_json(known);
        }
      },
      block.body);
  for (const json::key_value_pair& member : body) whole.emplace(member.key(), member.value());
  if (with_model == WithModel::yes && block.model) whole["model"] = *block.model;
  append_json(out, whole);
}

}  // namespace weft::formats::anthropic
