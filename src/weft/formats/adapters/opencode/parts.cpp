#include "weft/formats/adapters/opencode/parts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/reading/members.hpp"

namespace weft::formats::opencode {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

AuthoredBlock with_times(AuthoredBlock block, const json::object& part) {
  if (const json::object* time = find_object(part, "time")) {
    block.start = find_time(*time, "start");
    block.stop = find_time(*time, "end");
  }
  return block;
}

Reading read_text(const json::object& part, const Voice& voice) {
  auto words = find_words(part, "text");
  if (!words) return {.skip = "empty"};
  // What the harness put in, and what plugins show to the person alone.
  const bool is_programs =
      find_bool(part, "synthetic").value_or(false) ||
      (voice.author != Author::model && find_bool(part, "ignored").value_or(false));
  AuthoredBlock block{.author = is_programs ? Author::program : voice.author, .body = {}};
  if (voice.is_summary && voice.author == Author::model && !is_programs) {
    block.body = transcript::Compaction{.summary = *std::move(words)};
  } else {
    block.body = Text{.text = *std::move(words)};
  }
  return {.blocks = {with_times(std::move(block), part)}};
}

// The tool's own account of it, without what it repeats of the output.
std::optional<json::value> details_of(const json::object& state, std::string_view text) {
  const json::object* metadata = find_object(state, "metadata");
  if (metadata == nullptr) return std::nullopt;
  json::object details;
  for (const auto& [key, value] : *metadata) {
    const bool is_same = value.is_string() && view(value.get_string()) == text;
    if (!is_same && !value.is_null()) details[key] = value;
  }
  if (details.empty()) return std::nullopt;
  return details;
}

Reading read_tool(const json::object& part) {
  static const json::object kNoState;
  const json::object* found = find_object(part, "state");
  const json::object& state = found == nullptr ? kNoState : *found;
  const std::string_view status = find_string(state, "status").value_or("");
  const std::string name = text_in(part, "tool");
  const std::string id = text_in(part, "callID");
  Reading reading;
  ToolCall call{.id = id, .name = name, .input = json::object{}};
  if (const json::value* input = find_member(state, "input");
      input != nullptr && !input->is_null()) {
    call.input = *input;
  }
  call.display_text = find_words(state, "title");
  AuthoredBlock asked{.author = Author::model, .body = std::move(call)};
  const json::object* time = find_object(state, "time");
  if (time != nullptr) asked.start = find_time(*time, "start");
  reading.blocks.push_back(std::move(asked));
  const json::object* metadata = find_object(state, "metadata");
  const auto child = metadata == nullptr ? std::nullopt : find_words(*metadata, "sessionId");
  if (child && !id.empty()) reading.spawned.push_back({.call_id = id, .agent = child});
  if (status != "completed" && status != "error") return reading;

  ToolResult result{.call_id = id, .name = name};
  result.text = text_in(state, status == "error" ? "error" : "output");
  // A command that failed is completed for OpenCode; "invalid" is the tool that answers calls
  // of no tool, or with arguments that no tool takes.
  const std::int64_t exit = metadata == nullptr ? 0 : find_int(*metadata, "exit").value_or(0);
  result.is_error = status == "error" || exit != 0 || name == "invalid";
  result.details = details_of(state, result.text);
  AuthoredBlock answered{.author = Author::tool, .body = std::move(result)};
  if (time != nullptr) answered.start = find_time(*time, "end");
  reading.blocks.push_back(std::move(answered));
  const json::array* attachments = find_array(state, "attachments");
  for (const json::value& file : attachments == nullptr ? json::array{} : *attachments) {
    if (const json::object* object = file.if_object()) {
      reading.blocks.push_back({.author = Author::tool, .body = attachment_of(*object)});
    }
  }
  return reading;
}

}  // namespace

std::optional<Millis> find_time(const json::object& object, std::string_view key) {
  const json::value* time = find_member(object, key);
  if (time == nullptr) return std::nullopt;
  if (time->is_int64()) return time->get_int64();
  // Some have fractions of a millisecond, some exports have dates.
  if (time->is_double() && time->get_double() > 0 && time->get_double() < 1e15) {
    return static_cast<Millis>(time->get_double());
  }
  return time->is_string() ? parse_iso8601(view(time->get_string())) : std::nullopt;
}

Reading read_part(const json::object& part, const Voice& voice) {
  const std::string_view type = find_string(part, "type").value_or("");
  if (type == "text") return read_text(part, voice);
  if (type == "reasoning") {
    auto thought =
        thought_of(find_string(part, "text").value_or(""), find_object(part, "metadata"));
    if (!thought) return {.skip = "empty"};
    return {.blocks = {with_times(*std::move(thought), part)}};
  }
  if (type == "tool") return read_tool(part);
  if (type == "file") return {.blocks = {{.author = voice.author, .body = attachment_of(part)}}};
  if (type == "subtask") {
    // A prompt that is for a subagent from the beginning.
    auto prompt = find_words(part, "prompt");
    if (!prompt) return {.skip = "empty"};
    return {.blocks = {{.author = voice.author, .body = Text{.text = *std::move(prompt)}}}};
  }
  if (type == "retry") {
    const json::value* error = find_member(part, "error");
    return {.blocks = {failure_of(error == nullptr ? json::value(part) : *error)}};
  }
  if (type == "step-start" || type == "step-finish") return {.skip = "progress"};
  if (type == "snapshot" || type == "patch") return {.skip = "internal"};
  if (type == "agent") return {.skip = "mirror"};  // the words name it
  if (type == "compaction") return {.skip = "compact-boundary"};
  if (type == "unreadable") return {.skip = "could not be read"};  // tree.cpp says so
  return {.blocks = {{.author = voice.author == Author::model ? Author::model : Author::program,
                      .body = transcript::Unknown{.block_type = std::string(type), .raw = part}}}};
}

bool is_final(const json::object& part) {
  const std::string_view type = find_string(part, "type").value_or("");
  if (type == "tool") {
    const json::object* state = find_object(part, "state");
    const auto status = state == nullptr ? std::nullopt : find_string(*state, "status");
    return status != "pending" && status != "running";
  }
  if (type != "text" && type != "reasoning") return true;
  const json::object* time = find_object(part, "time");
  return time == nullptr || find_member(*time, "end") != nullptr;
}

AuthoredBlock failure_of(const json::value& error) {
  std::string text;
  if (const json::object* object = error.if_object()) {
    const json::object* data = find_object(*object, "data");
    if (data != nullptr) text = text_in(*data, "message");
    for (const char* key : {"message", "error", "name", "type"}) {
      if (text.empty()) text = text_in(*object, key);
    }
  } else if (error.is_string()) {
    text = view(error.get_string());
  }
  return {.author = Author::program,
          .body = transcript::Failure{.text = std::move(text), .details = error}};
}

transcript::Usage usage_of(const json::object* tokens) {
  if (tokens == nullptr) return {};
  static constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const auto count = [](const json::object& object, const char* key) {
    return std::clamp<std::int64_t>(find_int(object, key).value_or(0), 0, kMost);
  };
  transcript::Usage usage{.input = count(*tokens, "input"),
                          .output = count(*tokens, "output") + count(*tokens, "reasoning")};
  if (const json::object* cache = find_object(*tokens, "cache")) {
    usage.cache_read = count(*cache, "read");
    usage.cache_write = count(*cache, "write");
  }
  return usage;
}

std::optional<std::string> signature_in(const json::object* metadata, bool& is_sealed) {
  constexpr std::array<std::string_view, 3> kSealed = {"redactedData", "reasoningEncryptedContent",
                                                       "encrypted_content"};
  constexpr std::array<std::string_view, 4> kSigned = {"signature", "thoughtSignature",
                                                       "reasoning_opaque", "reasoningOpaque"};
  is_sealed = false;
  if (metadata == nullptr) return std::nullopt;
  for (const auto& [provider, value] : *metadata) {
    const json::object* object = value.if_object();
    if (object == nullptr) continue;
    for (const std::string_view key : kSigned) {
      if (auto found = find_words(*object, key)) return found;
    }
    for (const std::string_view key : kSealed) {
      if (auto found = find_words(*object, key)) {
        is_sealed = true;
        return found;
      }
    }
  }
  return std::nullopt;
}

std::optional<AuthoredBlock> thought_of(std::string_view text, const json::object* metadata) {
  bool is_sealed = false;
  std::optional<std::string> signature = signature_in(metadata, is_sealed);
  if (text.empty() && !signature) return std::nullopt;
  if (text.empty() && is_sealed) {
    return AuthoredBlock{.author = Author::model,
                         .body = transcript::RedactedThinking{.data = *std::move(signature)}};
  }
  return AuthoredBlock{
      .author = Author::model,
      .body = transcript::Thinking{.text = std::string(text), .signature = std::move(signature)}};
}

Attachment attachment_of(const json::object& file) {
  Attachment attachment{.kind = "file"};
  attachment.name = find_words(file, "filename");
  if (!attachment.name) attachment.name = find_words(file, "name");
  attachment.mime = find_words(file, "mime");
  if (attachment.mime && attachment.mime->starts_with("image/")) attachment.kind = "image";
  if (attachment.mime == "application/pdf") attachment.kind = "document";
  std::string url = text_in(file, "url");
  if (url.empty()) url = text_in(file, "uri");
  constexpr std::string_view kBase64 = ";base64,";
  const std::size_t data = url.starts_with("data:") ? url.find(kBase64) : std::string::npos;
  if (data != std::string::npos) {
    attachment.data = url.substr(data + kBase64.size());
  } else if (!url.empty()) {
    attachment.reference = std::move(url);
  }
  if (auto bytes = find_words(file, "data"); bytes && !attachment.data) attachment.data = bytes;
  json::object extra;
  for (const char* key : {"source", "description"}) {
    if (const json::value* value = find_member(file, key); value != nullptr && !value->is_null()) {
      extra[key] = *value;
    }
  }
  if (!extra.empty()) attachment.extra = std::move(extra);
  return attachment;
}

}  // namespace weft::formats::opencode
