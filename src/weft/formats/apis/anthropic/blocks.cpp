#include "weft/formats/apis/anthropic/blocks.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::formats::anthropic {
namespace {

using transcript::Body;
using transcript::Citation;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

std::optional<std::string> own(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

std::optional<std::string> first_string(const json::object& object,
                                        std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const auto text = find_string(object, key)) return own(text);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> find_count(const json::object& object, std::string_view key) {
  const auto number = find_int(object, key);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<Millis> find_time(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  return text ? parse_iso8601(*text) : std::nullopt;
}

// Every shape in one reading, for none uses another's name for another thing: ours
// {url, title, indices}, claude.ai's {start_index, end_index, details}, the API's
// {url, title, cited_text} and {document_index, document_title, cited_text}.
Citation parse_citation(const json::value& value) {
  Citation citation;
  if (value.is_string()) citation.url = view(value.get_string());
  const json::object* object = value.if_object();
  if (object == nullptr) return citation;
  static const json::object kNone;
  const json::object* found = find_object(*object, "details");
  const json::object& details = found == nullptr ? kNone : *found;
  citation.url = first_string(*object, {"url", "source"});
  if (!citation.url) citation.url = first_string(details, {"url"});
  citation.title = first_string(*object, {"title", "document_title"});
  if (!citation.title) citation.title = first_string(details, {"title"});
  citation.text = first_string(*object, {"cited_text"});
  if (!citation.text) citation.text = first_string(details, {"cited_text", "text"});
  citation.document = find_count(*object, "document_index");

  auto from = find_count(*object, "start_index");
  auto to = find_count(*object, "end_index");
  if (const json::array* indices = find_array(*object, "indices");
      indices != nullptr && indices->size() == 2) {
    const json::object pair{{"from", (*indices)[0]}, {"to", (*indices)[1]}};
    from = find_count(pair, "from");
    to = find_count(pair, "to");
  }
  if (from && to && *from <= *to) citation.indices = {*from, *to};
  return citation;
}

std::optional<Body> parse_text(const json::object& block) {
  const auto words = find_string(block, "text");
  if (!words) return std::nullopt;
  Text text{.text = std::string(*words)};
  if (const json::array* citations = find_array(block, "citations")) {
    for (const json::value& citation : *citations) {
      text.citations.push_back(parse_citation(citation));
    }
  }
  return text;
}

std::optional<Body> parse_thinking(const json::object& block) {
  const auto words = find_string(block, "thinking");
  if (!words) return std::nullopt;
  Thinking thinking{.text = std::string(*words)};
  const auto signature = find_string(block, "signature");
  if (signature && !signature->empty()) thinking.signature = own(signature);
  thinking.cut_off = find_bool(block, "cut_off").value_or(false);
  if (const json::array* summaries = find_array(block, "summaries")) {
    for (const json::value& summary : *summaries) {
      if (summary.is_string()) thinking.summaries.emplace_back(view(summary.get_string()));
      const json::object* object = summary.if_object();
      const auto blocks = object == nullptr ? std::nullopt : find_string(*object, "summary");
      if (blocks) thinking.summaries.emplace_back(*blocks);
    }
  }
  return thinking;
}

std::optional<Body> parse_call(const json::object& block) {
  const auto name = find_string(block, "name");
  if (!name) return std::nullopt;
  ToolCall call{.id = std::string(find_string(block, "id").value_or("")),
                .name = std::string(*name)};
  if (const json::value* input = find_member(block, "input")) call.input = *input;
  if (const json::object* input = call.input.if_object()) {
    call.description = own(find_string(*input, "description"));
  }
  if (!call.description) call.description = own(find_string(block, "description"));
  if (const json::object* display = find_object(block, "display_content")) {
    call.display_text = own(find_string(*display, "text"));
  }
  if (!call.display_text) call.display_text = own(find_string(block, "message"));
  return call;
}

// The text of a part of a result; empty for images and the like.
std::optional<std::string> words_of_part(const json::value& part) {
  if (part.is_string()) return std::string(view(part.get_string()));
  const json::object* object = part.if_object();
  if (object == nullptr) return std::nullopt;
  if (find_string(*object, "type") == "text") return own(find_string(*object, "text"));
  // The output of code, in results of server tools.
  const auto out = find_string(*object, "stdout");
  const auto err = find_string(*object, "stderr");
  if (!out && !err) return std::nullopt;
  std::string words(out.value_or(""));
  if (err && !err->empty()) words.append(words.empty() ? "" : "\n").append(*err);
  return words;
}

bool is_nothing(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty());
}

// A text part with nothing to it but its words and perhaps a uuid.
bool is_plain_text(const json::value& part) {
  if (part.is_string()) return true;
  const json::object* object = part.if_object();
  if (object == nullptr || find_string(*object, "type") != "text") return false;
  if (!find_string(*object, "text")) return false;
  return std::ranges::all_of(*object, [](const json::key_value_pair& member) {
    const std::string_view key(member.key().data(), member.key().size());
    if (key == "uuid") return member.value().is_string() || member.value().is_null();
    return key == "type" || key == "text" || key == "cache_control" || is_nothing(member.value());
  });
}

void take_content(ToolResult& result, const json::value& content) {
  json::array parts;
  if (const json::array* array = content.if_array()) {
    parts = *array;
  } else if (!content.is_null()) {
    parts.push_back(content);
  }
  bool is_first = true;
  for (const json::value& part : parts) {
    const auto words = words_of_part(part);
    if (!words) continue;
    if (!is_first) result.text += '\n';
    is_first = false;
    result.text += *words;
  }
  if (parts.size() == 1 && is_plain_text(parts[0])) {
    if (const json::object* part = parts[0].if_object()) {
      result.uuid = own(find_string(*part, "uuid"));
    }
  } else if (!parts.empty()) {
    result.parts = std::move(parts);
  }
}

Body parse_result(const json::object& block) {
  ToolResult result{.call_id = std::string(find_string(block, "tool_use_id").value_or("")),
                    .name = std::string(find_string(block, "name").value_or(""))};
  const json::value* content = find_member(block, "content");
  if (content != nullptr) take_content(result, *content);
  if (const auto is_error = find_bool(block, "is_error")) {
    result.is_error = *is_error;
  } else if (const json::object* object = content == nullptr ? nullptr : content->if_object()) {
    // Server tools fail with an object in the place of their results.
    result.is_error = find_string(*object, "type").value_or("").ends_with("_error");
  }
  const json::value* details = find_member(block, "structured_content");
  if (details != nullptr && !details->is_null()) result.details = *details;
  return result;
}

// Whether `block` has these members and, times and model aside, no others.
bool has_just(const json::object& block, std::initializer_list<std::string_view> keys) {
  constexpr std::array<std::string_view, 5> kCommon = {"type", "start_timestamp", "stop_timestamp",
                                                       "model", "extra"};
  return std::ranges::all_of(block, [&](const json::key_value_pair& member) {
    const std::string_view key(member.key().data(), member.key().size());
    return std::ranges::find(keys, key) != keys.end() ||
           std::ranges::find(kCommon, key) != kCommon.end() || is_nothing(member.value());
  });
}

// Kinds that only we write (summary, failure), and compactions that are all in their
// summary. One with encrypted content stays whole as Unknown.
std::optional<Body> parse_rare(std::string_view type, const json::object& block) {
  if (type == "compaction" && has_just(block, {"content"})) {
    if (const auto text = find_string(block, "content")) {
      return transcript::Compaction{.summary = std::string(*text)};
    }
  }
  const auto text = find_string(block, "text");
  if (type == "summary" && text && has_just(block, {"text"})) {
    return transcript::Summary{.text = std::string(*text)};
  }
  if (type == "failure" && text && has_just(block, {"text", "details"})) {
    transcript::Failure failure{.text = std::string(*text)};
    const json::value* details = find_member(block, "details");
    if (details != nullptr && !is_nothing(*details)) failure.details = *details;
    return failure;
  }
  return std::nullopt;
}

std::optional<Body> parse_body(std::string_view type, const json::object& block) {
  if (type == "text") return parse_text(block);
  if (type == "thinking") return parse_thinking(block);
  if (type == "redacted_thinking") {
    const auto data = find_string(block, "data");
    if (!data) return std::nullopt;
    return transcript::RedactedThinking{.data = std::string(*data)};
  }
  if (type == "tool_use" || type == "server_tool_use" || type == "mcp_tool_use") {
    return parse_call(block);
  }
  if (type == "tool_result" || type.ends_with("_tool_result")) return parse_result(block);
  if (type == "image" || type == "document" || type == "file") {
    if (auto attachment = parse_attachment(type, block)) return std::move(*attachment);
    return std::nullopt;
  }
  return parse_rare(type, block);
}

}  // namespace

ParsedBlock parse_block(const json::value& block) {
  if (block.is_string()) return {.body = Text{.text = std::string(view(block.get_string()))}};
  const json::object* object = block.if_object();
  if (object == nullptr) return {.body = Unknown{.raw = block}};
  const std::string_view type = find_string(*object, "type").value_or("");
  std::optional<Body> body = parse_body(type, *object);
  if (!body) body = Unknown{.block_type = std::string(type), .raw = block};
  ParsedBlock parsed{.body = std::move(*body),
                     .start = find_time(*object, "start_timestamp"),
                     .stop = find_time(*object, "stop_timestamp"),
                     .model = own(find_string(*object, "model"))};
  const bool is_whole = std::holds_alternative<Unknown>(parsed.body) ||
                        std::holds_alternative<transcript::Attachment>(parsed.body);
  const json::object* extra = is_whole ? nullptr : find_object(*object, "extra");
  if (extra != nullptr && !extra->empty()) parsed.extra = *extra;
  return parsed;
}

transcript::Unknown unknown_from_text(const json::value& block, std::string_view text) {
  const json::object* object = block.if_object();
  const auto type = object == nullptr ? std::nullopt : find_string(*object, "type");
  return {.block_type = std::string(type.value_or("")), .raw_text = std::string(text)};
}

}  // namespace weft::formats::anthropic
