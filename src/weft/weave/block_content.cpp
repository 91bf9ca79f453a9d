#include "weft/weave/block_content.hpp"

#include "weft/base/utf8.hpp"
#include "weft/weave/cause_rules.hpp"

namespace weft::weave {
namespace {

using transcript::Attachment;
using transcript::Author;
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

template <class T>
void put(json::object& object, std::string_view key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

// Copies a text into a JSON value, and frees it.
json::value take(std::string& text) {
  json::value value(text);
  text = std::string();
  return value;
}
template <class T>
void take(json::object& object, std::string_view key, std::optional<T>& value) {
  if (!value) return;
  if constexpr (std::is_same_v<T, std::string>) {
    object[key] = take(*value);
  } else {
    object[key] = std::move(*value);
  }
}

struct TakeContent {
  Block& block;
  std::string_view tool_name;

  std::optional<std::int64_t> duration() const {
    if (!block.start || !block.stop) return std::nullopt;
    return *block.stop - *block.start;
  }

  json::object operator()(Text& text) const {
    json::object out;
    out["text"] = take(text.text);
    if (block.author == Author::model) put(out, "duration_ms", duration());
    return out;
  }
  json::object operator()(Thinking& thinking) const {
    json::object out{{"cut_off", thinking.cut_off},
                     {"chars", count_code_points(thinking.text)},
                     {"withheld", thinking.text.empty() && thinking.signature.has_value()}};
    out["reasoning"] = take(thinking.text);
    take(out, "signature", thinking.signature);
    put(out, "duration_ms", duration());
    return out;
  }
  json::object operator()(RedactedThinking& redacted) const {
    json::object out{{"chars", count_code_points(redacted.data)}};
    out["data"] = take(redacted.data);
    return out;
  }
  json::object operator()(ToolCall& call) const {
    json::object out{{"tool_name", call.name}};
    out["input"] = std::move(call.input);
    if (!call.id.empty()) out["tool_use_id"] = call.id;
    put(out, "description", call.description);
    put(out, "display_text", call.display_text);
    return out;
  }
  json::object operator()(ToolResult& result) const {
    json::object out{{"tool_name", result.name.empty() ? tool_name : result.name},
                     {"is_error", result.is_error}};
    out["result_text"] = take(result.text);
    put(out, "uuid", result.uuid);
    take(out, "parts", result.parts);
    take(out, "details", result.details);
    return out;
  }
  json::object operator()(Attachment& attachment) const {
    json::object out{{"kind", attachment.kind}};
    put(out, "name", attachment.name);
    put(out, "mime", attachment.mime);
    take(out, "text", attachment.text);
    take(out, "data", attachment.data);
    take(out, "reference", attachment.reference);
    put(out, "size", attachment.size);
    take(out, "extra", attachment.extra);
    return out;
  }
  json::object operator()(Compaction& compaction) const {
    json::object out;
    out["summary"] = take(compaction.summary);
    return out;
  }
  json::object operator()(Summary& summary) const {
    json::object out;
    out["text"] = take(summary.text);
    return out;
  }
  json::object operator()(Failure& failure) const {
    json::object out;
    out["text"] = take(failure.text);
    take(out, "details", failure.details);
    return out;
  }
  json::object operator()(Unknown& unknown) const {
    json::object out{{"block_type", unknown.block_type}};
    if (unknown.raw_text) {
      out["raw_text"] = take(*unknown.raw_text);
    } else {
      out["raw"] = std::move(unknown.raw);
    }
    return out;
  }
};

struct KindName {
  Author author;
  std::string_view operator()(const Text&) const {
    switch (author) {
      case Author::human: return "human_input";
      case Author::model: return "response";
      case Author::tool:
      case Author::program: return "system_input";
    }
    return "system_input";
  }
  std::string_view operator()(const Thinking&) const { return "thinking"; }
  std::string_view operator()(const RedactedThinking&) const { return "redacted_thinking"; }
  std::string_view operator()(const ToolCall&) const { return "tool_request"; }
  std::string_view operator()(const ToolResult&) const { return "tool_result"; }
  std::string_view operator()(const Attachment&) const { return "attachment"; }
  std::string_view operator()(const Compaction&) const { return "compaction"; }
  std::string_view operator()(const Summary&) const { return "summary"; }
  std::string_view operator()(const Failure&) const { return "failure"; }
  std::string_view operator()(const Unknown&) const { return "unknown"; }
};

}  // namespace

std::string_view thought_kind(const Block& block) {
  return std::visit(KindName{block.author}, block.body);
}

json::object block_content(const Block& block, std::string_view tool_name) {
  Block copy = block;
  return take_content(copy, tool_name);
}

json::object take_content(Block& block, std::string_view tool_name) {
  json::object content = std::visit(TakeContent{block, tool_name}, block.body);
  take(content, "extra", block.extra);
  return content;
}

json::object citation_content(const Citation& citation, std::string_view text) {
  json::object out;
  put(out, "url", citation.url);
  put(out, "title", citation.title);
  if (!text.empty()) out["text"] = text;
  if (citation.indices)
    out["indices"] = json::array{citation.indices->first, citation.indices->second};
  return out;
}

}  // namespace weft::weave
