#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/formats/apis/anthropic/blocks.hpp"

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

void append_elements(std::string& out, const json::array& array) {
  out += '[';
  for (const json::value& element : array) {
    if (&element != array.begin()) out += ',';
    append_json(out, element);
  }
  out += ']';
}

// A JSON object on its way out: one member after another.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectWriter() { out_ += '}'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  // Whose value the caller writes next.
  std::string& key(std::string_view name) {
    if (!std::exchange(is_first_, false)) out_ += ',';
    append_canonical_string(out_, name);
    return out_ += ':';
  }
  void add(std::string_view name, std::string_view text) {
    append_canonical_string(key(name), text);
  }
  template <std::same_as<json::value> Value>  // a text would become one unasked
  void add(std::string_view name, const Value& value) {
    append_json(key(name), value);
  }
  void add(std::string_view name, std::same_as<bool> auto flag) {
    key(name) += flag ? "true" : "false";
  }
  template <class T>
  void add(std::string_view name, const std::optional<T>& value) {
    if (value) add(name, *value);
  }

 private:
  std::string& out_;
  bool is_first_ = true;
};

template <class T>
void append_array(std::string& out, const std::vector<T>& elements, auto append_element) {
  out += '[';
  for (const T& element : elements) {
    if (&element != elements.data()) out += ',';
    append_element(element);
  }
  out += ']';
}

void append_citation(std::string& out, const Citation& citation) {
  ObjectWriter object(out);
  object.add("url", citation.url);
  object.add("title", citation.title);
  if (citation.indices) {
    object.add("indices",
               json::value(json::array{citation.indices->first, citation.indices->second}));
  }
  object.add("cited_text", citation.text);
  if (citation.document) object.add("document_index", json::value(*citation.document));
}

void write_body(ObjectWriter& object, const Text& text) {
  object.add("type", "text");
  object.add("text", text.text);
  std::string& out = object.key("citations");
  append_array(out, text.citations, [&](const Citation& one) { append_citation(out, one); });
}

void write_body(ObjectWriter& object, const Thinking& thinking) {
  object.add("type", "thinking");
  object.add("thinking", thinking.text);
  std::string& out = object.key("summaries");
  append_array(out, thinking.summaries,
               [&](const std::string& one) { ObjectWriter(out).add("summary", one); });
  object.add("cut_off", thinking.cut_off);
  object.add("signature", thinking.signature);
}

void write_body(ObjectWriter& object, const RedactedThinking& thinking) {
  object.add("type", "redacted_thinking");
  object.add("data", thinking.data);
}

void write_body(ObjectWriter& object, const ToolCall& call) {
  object.add("type", "tool_use");
  if (!call.id.empty()) object.add("id", call.id);
  object.add("name", call.name);
  object.add("input", call.input);
  const json::object* input = call.input.if_object();
  const bool is_in_input = input != nullptr && find_string(*input, "description");
  if (!is_in_input) object.add("description", call.description);
  if (!call.display_text) return;
  object.add("message", *call.display_text);
  ObjectWriter display(object.key("display_content"));
  display.add("type", "text");
  display.add("text", *call.display_text);
}

void write_body(ObjectWriter& object, const ToolResult& result) {
  object.add("type", "tool_result");
  if (!result.call_id.empty()) object.add("tool_use_id", result.call_id);
  if (!result.name.empty()) object.add("name", result.name);
  std::string& out = object.key("content");
  if (result.parts) {
    append_elements(out, *result.parts);
  } else {
    out += '[';
    if (!result.text.empty() || result.uuid) {
      ObjectWriter part(out);
      part.add("type", "text");
      part.add("text", result.text);
      part.add("uuid", result.uuid);
    }
    out += ']';
  }
  object.add("is_error", result.is_error);
  object.add("structured_content", result.details);
}

void write_body(ObjectWriter& object, const Attachment& attachment) {
  for (const json::key_value_pair& member : attachment_json(attachment)) {
    object.add({member.key().data(), member.key().size()}, member.value());
  }
}

void write_body(ObjectWriter& object, const Compaction& compaction) {
  object.add("type", "compaction");
  object.add("content", compaction.summary);
}

void write_body(ObjectWriter& object, const Summary& summary) {
  object.add("type", "summary");
  object.add("text", summary.text);
}

void write_body(ObjectWriter& object, const Failure& failure) {
  object.add("type", "failure");
  object.add("text", failure.text);
  object.add("details", failure.details);
}

// Written whole, as it came.
void append_unknown(std::string& out, const Unknown& unknown) {
  if (unknown.raw_text) {
    out += *unknown.raw_text;
  } else {
    append_json(out, unknown.raw);
  }
}

}  // namespace

void append_json(std::string& out, const json::value& value) {
  if (const json::array* array = value.if_array()) {
    append_elements(out, *array);
  } else if (const json::object* members = value.if_object()) {
    ObjectWriter object(out);
    for (const json::key_value_pair& member : *members) {
      object.add({member.key().data(), member.key().size()}, member.value());
    }
  } else if (value.is_double()) {
    append_double(out, value.get_double());
  } else {
    append_canonical(out, value);
  }
}

void append_block(std::string& out, const Block& block, WithModel with_model) {
  if (const auto* unknown = std::get_if<Unknown>(&block.body)) {
    append_unknown(out, *unknown);
    return;
  }
  ObjectWriter object(out);
  if (block.start) object.add("start_timestamp", to_iso8601(*block.start));
  if (block.stop) object.add("stop_timestamp", to_iso8601(*block.stop));
  std::visit(
      [&]<class T>(const T& body) {
        if constexpr (!std::is_same_v<T, Unknown>) write_body(object, body);
      },
      block.body);
  if (with_model == WithModel::yes) object.add("model", block.model);
  if (block.extra) object.add("extra", json::value(*block.extra));
}

}  // namespace weft::formats::anthropic
